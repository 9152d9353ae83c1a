package dev.rowcast.standalone.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The keys of a node, over its HTTP interface. Used by one thread. */
final class KeysClient {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final URI node;
  private final String secret;

  KeysClient(URI node, String secret) {
    this.node = node;
    this.secret = secret;
  }

  /** The node refused or didn't answer; the message says why, for people. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }

  /** The new key with its secret, as the node answers it. */
  JsonNode create(ObjectNode key) throws FailedException, InterruptedException {
    return send("POST", "", key.toString());
  }

  /** All keys. */
  JsonNode list() throws FailedException, InterruptedException {
    return send("GET", "", null).path("keys");
  }

  void revoke(String id) throws FailedException, InterruptedException {
    send("DELETE", "/" + URLEncoder.encode(id, UTF_8), null);
  }

  private JsonNode send(String method, String path, @Nullable String body)
      throws FailedException, InterruptedException {
    String base = node.toString().replaceAll("/+$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + "/api/ddl/keys" + path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + secret)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      JsonNode answer = read(response.body());
      if (response.statusCode() >= 300) {
        String detail = answer.path("detail").asText("not an answer of Rowcast's");
        throw new FailedException(response.statusCode() + ": " + detail);
      }
      return answer;
    } catch (IOException e) {
      throw new FailedException(base + ": no answer: " + e);
    }
  }

  private static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }
}
