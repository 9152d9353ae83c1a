package dev.rowcast.connectors.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a connector fares, as Connect's status endpoint says.
 *
 * @param state of the connector: {@code RUNNING}, {@code FAILED}, …
 * @param tasks of its tasks; empty before they are assigned
 */
public record ConnectorStatus(String state, List<TaskStatus> tasks) {

  /**
   * How one task fares.
   *
   * @param state {@code RUNNING}, {@code FAILED}, …
   * @param trace why it failed, for logs only; null where it didn't
   */
  public record TaskStatus(int id, String state, @Nullable String trace) {}

  public ConnectorStatus {
    tasks = List.copyOf(tasks);
  }

  /** Whether the connector and at least one task run, and nothing else. */
  public boolean running() {
    return state.equals("RUNNING")
        && !tasks.isEmpty()
        && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
  }

  /** Whether the connector or a task gave up. */
  public boolean failed() {
    return state.equals("FAILED") || tasks.stream().anyMatch(t -> t.state().equals("FAILED"));
  }

  static ConnectorStatus of(JsonNode node) {
    List<TaskStatus> tasks = new ArrayList<>();
    for (JsonNode task : node.path("tasks")) {
      tasks.add(
          new TaskStatus(
              task.path("id").asInt(),
              task.path("state").asText(),
              task.path("trace").textValue()));
    }
    return new ConnectorStatus(node.path("connector").path("state").asText(), tasks);
  }
}
