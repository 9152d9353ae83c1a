package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A table that was released over HTTP and still stands in the file. */
class ReleasedTableIT {
  private static final String TABLE = "api/ddl/events/tables/public.orders";

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void itStaysReleasedOverARestartAndIsSaidToBeUntilItIsCapturedAgain() throws Exception {
    try (NodeFixture fixture =
        NodeFixture.start(
            List.of("CREATE TABLE orders (id int PRIMARY KEY)"),
            """
            tables:
              - {id: orders, source_id: "${env:SOURCE}"}
            """,
            Map.of("admin", new Identity("admin", "admin", Map.of(), Scope.ALL)))) {
      assertEquals("[]", ready(fixture).path("notCaptured").toString());
      assertEquals(204, send(fixture, "DELETE", TABLE).statusCode());

      fixture.restartNode();
      JsonNode ready = ready(fixture);
      assertEquals("[\"public.orders\"]", ready.path("notCaptured").toString());
      JsonNode source = ready.path("sources").path(0);
      assertEquals("streaming", source.path("state").asText(), ready.toString());
      assertEquals("none of its tables is captured", source.path("reason").asText());
      assertEquals(0, source.path("lagEvents").asInt(-1), ready.toString());
      assertEquals(0, source.path("lagSeconds").asDouble(-1), ready.toString());

      assertEquals(201, send(fixture, "POST", TABLE).statusCode());
      fixture.restartNode();
      assertEquals("[]", ready(fixture).path("notCaptured").toString());
    }
  }

  private JsonNode ready(NodeFixture fixture) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(send(fixture, "GET", "health/ready").body());
  }

  private HttpResponse<String> send(NodeFixture fixture, String method, String path)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(fixture.url().resolve(path))
            .header("Authorization", "Bearer admin")
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
