package dev.rowcast.standalone.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A reader of server-sent events by the letter of the HTML standard, and no more. One thread. */
public final class SseStream implements AutoCloseable {
  private final InputStream body;
  private final BufferedReader lines;
  private String lastId = "";

  /**
   * A dispatched event.
   *
   * @param lastEventId what a reconnect would send
   */
  public record Event(String type, String data, String lastEventId) {}

  private SseStream(InputStream body) {
    this.body = body;
    this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  public static SseStream open(HttpClient client, URI url, String key, @Nullable String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Authorization", "Bearer " + key)
            .header("Accept", "text/event-stream");
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<InputStream> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      String problem = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
      throw new IOException("stream: " + response.statusCode() + " " + problem);
    }
    return new SseStream(response.body());
  }

  /** The id of the last complete block, whether it held data or not; empty before the first. */
  public String lastId() {
    return lastId;
  }

  /** The next event; null at the end of the stream. */
  public @Nullable Event next() throws IOException {
    String type = "message";
    StringBuilder data = new StringBuilder();
    String id = lastId;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        lastId = id;
        if (data.length() > 0) {
          data.setLength(data.length() - 1);
          return new Event(type, data.toString(), id);
        }
        type = "message";
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (field) {
        case "event" -> type = value;
        case "data" -> data.append(value).append('\n');
        case "id" -> id = value;
        default -> {} // a comment, retry, or a field to come
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
