package dev.rowcast.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Somebody who has only {@code demo.json}. */
final class DemoClient {
  static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode description;
  private final HttpClient http = HttpClient.newHttpClient();

  /** An answer: its status and its body, JSON where it is some. */
  record Answer(int status, String contentType, JsonNode json, String text) {}

  DemoClient(Path directory) throws IOException {
    description = JSON.readTree(directory.resolve("demo.json").toFile());
  }

  JsonNode description() {
    return description;
  }

  String key(String name) {
    return description.get("keys").get(name).asText();
  }

  URI url(String path) {
    return URI.create(description.get("url").asText() + path);
  }

  void sql(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(description.get("jdbcUrl").asText());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  Answer get(String path, @Nullable String key) throws IOException, InterruptedException {
    return send("GET", path, key, null);
  }

  Answer send(String method, String path, @Nullable String key, @Nullable String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url(path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (key != null) {
      request.header("Authorization", "Bearer " + key(key));
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    String type = response.headers().firstValue("Content-Type").orElse("");
    return new Answer(
        response.statusCode(),
        type,
        type.contains("json") ? JSON.readTree(response.body()) : JSON.missingNode(),
        response.body());
  }

  /** The newest cursor. */
  String latest() throws IOException, InterruptedException {
    return get("/api/ddl/events/changes?cursor=latest", "admin").json().get("cursor").asText();
  }

  /** What {@code key} sees after a cursor, once there is anything, ten seconds at most. */
  JsonNode changesAfter(String cursor, String key, String tables)
      throws IOException, InterruptedException {
    String filter = tables.isEmpty() ? "" : "&tables=" + tables;
    JsonNode page =
        get("/api/ddl/events/changes?wait=10000&limit=1000&cursor=" + cursor + filter, key).json();
    return page.get("events");
  }
}
