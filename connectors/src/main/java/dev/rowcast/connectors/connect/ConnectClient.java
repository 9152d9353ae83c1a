package dev.rowcast.connectors.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of Kafka Connect's REST interface that Rowcast needs. A worker that is busy rebalancing
 * is asked again for a while. Thread-safe.
 *
 * <p>Every method throws {@link ProblemException}: {@code UNAVAILABLE} where the worker can't be
 * reached, {@code INTERNAL} where it refuses what we sent. Neither shows a configuration's values.
 */
public final class ConnectClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final URI url;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /** For the worker with that REST interface. */
  public ConnectClient(URI url) {
    this.url = url;
  }

  /** Creates the connector, or changes its configuration to this one. */
  public void putConfig(String connector, Map<String, String> config) {
    send("PUT", path(connector) + "/config", JSON.valueToTree(config));
  }

  /** The connector's configuration; empty where there is no such connector. */
  public Optional<Map<String, String>> config(String connector) {
    return find(path(connector) + "/config")
        .map(
            node -> {
              Map<String, String> config = new TreeMap<>();
              for (Map.Entry<String, JsonNode> entry : node.properties()) {
                config.put(entry.getKey(), entry.getValue().asText());
              }
              return config;
            });
  }

  /** How the connector and its tasks fare; empty where there is no such connector. */
  public Optional<ConnectorStatus> status(String connector) {
    return find(path(connector) + "/status").map(ConnectorStatus::of);
  }

  /** Starts what failed of the connector and its tasks again. */
  public void restartFailed(String connector) {
    send("POST", path(connector) + "/restart?includeTasks=true&onlyFailed=true", null);
  }

  /** Starts the connector and its tasks again. */
  public void restart(String connector) {
    send("POST", path(connector) + "/restart?includeTasks=true", null);
  }

  /** Deletes the connector; its offsets stay. Does nothing where there is none. */
  public void delete(String connector) {
    exchange("DELETE", path(connector), null, true);
  }

  /** What is wrong with a configuration, by field. */
  public Map<String, List<String>> validate(Map<String, String> config) {
    String type = config.getOrDefault("connector.class", "");
    String plugin = type.substring(type.lastIndexOf('.') + 1);
    JsonNode answer =
        send(
            "PUT",
            "/connector-plugins/" + encode(plugin) + "/config/validate",
            JSON.valueToTree(config));
    Map<String, List<String>> errors = new LinkedHashMap<>();
    for (JsonNode field : answer.path("configs")) {
      JsonNode value = field.path("value");
      for (JsonNode error : value.path("errors")) {
        errors
            .computeIfAbsent(value.path("name").asText(), name -> new ArrayList<>())
            .add(error.asText());
      }
    }
    return errors;
  }

  private Optional<JsonNode> find(String path) {
    return exchange("GET", path, null, true);
  }

  private JsonNode send(String method, String path, @Nullable JsonNode body) {
    return exchange(method, path, body, false).orElseThrow();
  }

  private Optional<JsonNode> exchange(
      String method, String path, @Nullable JsonNode body, boolean mayBeMissing) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      HttpResponse<byte[]> response = once(method, path, body);
      int status = response.statusCode();
      if (status < 300) {
        return Optional.of(json(response.body()));
      }
      if (status == 404 && mayBeMissing) {
        return Optional.empty();
      }
      // 409: a rebalance is under way; 5xx: the leader can't be reached yet
      if ((status != 409 && status < 500) || System.nanoTime() > deadline) {
        String what = method + " " + path.replaceAll("\\?.*", "") + " answered " + status;
        throw new ProblemException(
            status >= 500 || status == 409 ? ProblemType.UNAVAILABLE : ProblemType.INTERNAL,
            "Kafka Connect: " + what + " (expected: success)");
      }
      pause();
    }
  }

  private HttpResponse<byte[]> once(String method, String path, @Nullable JsonNode body) {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()))
            .build();
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw unavailable("can't be reached at " + url, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("was not waited for", e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("was not waited for", e);
    }
  }

  private static ProblemException unavailable(String what, Exception cause) {
    ProblemException problem =
        new ProblemException(ProblemType.UNAVAILABLE, "Kafka Connect " + what);
    problem.initCause(cause);
    return problem;
  }

  private static JsonNode json(byte[] body) {
    try {
      return body.length == 0
          ? JSON.createObjectNode()
          : JSON.readTree(new String(body, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw unavailable("answered something that isn't JSON", e);
    }
  }

  private static String path(String connector) {
    return "/connectors/" + encode(connector);
  }

  private static String encode(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
