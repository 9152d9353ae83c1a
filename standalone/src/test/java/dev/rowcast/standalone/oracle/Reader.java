package dev.rowcast.standalone.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader that collects every event from a position up to the fence, going away and coming back at
 * random. Each runs in a thread of its own.
 */
abstract class Reader implements Callable<List<JsonNode>> {
  /** The table whose first event says that everything before it is there. */
  static final String FENCE = "fence";

  final HttpClient http;
  final Supplier<URI> server;
  final String key;
  final SplittableRandom random;
  final List<JsonNode> events = new ArrayList<>();
  private long lastId = -1;
  private boolean fenced;

  Reader(HttpClient http, Supplier<URI> server, String key, long seed) {
    this.http = http;
    this.server = server;
    this.key = key;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public List<JsonNode> call() throws IOException, InterruptedException {
    while (!fenced) {
      try {
        connect();
      } catch (IOException e) {
        // the server is away just now, or went away: that is what readers have to live through
        Thread.onSpinWait();
      }
    }
    return events;
  }

  /** Reads until it goes away by itself, the stream ends, or the fence came. */
  abstract void connect() throws IOException, InterruptedException;

  final boolean fenced() {
    return fenced;
  }

  final void take(JsonNode event) {
    long id = event.get("id").longValue();
    if (id <= lastId) {
      throw new AssertionError("id " + id + " after " + lastId + ": doubled or out of order");
    }
    lastId = id;
    if (event.get("table").asText().equals(FENCE)) {
      fenced = true;
    } else {
      events.add(event);
    }
  }

  /** Drops and resumes a stream, in the middle of a frame as often as not. */
  static final class Streaming extends Reader {
    private @Nullable String lastEventId;
    private final String since;
    private final String parameters;

    Streaming(
        HttpClient http,
        Supplier<URI> server,
        String key,
        long seed,
        String since,
        String parameters) {
      super(http, server, key, seed);
      this.since = since;
      this.parameters = parameters;
    }

    @Override
    void connect() throws IOException, InterruptedException {
      // the stale since stays in the address, as a browser would have it
      URI url = server.get().resolve("/events/stream?since=" + since + parameters);
      int leaveAfter = random.nextInt(8) == 0 ? Integer.MAX_VALUE : random.nextInt(200);
      try (SseStream stream = SseStream.open(http, url, key, lastEventId)) {
        for (int i = 0; i < leaveAfter && !fenced(); i++) {
          SseStream.Event event = stream.next();
          lastEventId = stream.lastId().isEmpty() ? lastEventId : stream.lastId();
          if (event == null || event.type().equals("end") || event.type().equals("gap")) {
            return;
          }
          JsonNode data = Model.JSON.readTree(event.data());
          if (event.type().equals("batch")) {
            data.get("events").forEach(this::take);
          } else {
            take(data);
          }
        }
      }
    }
  }

  /** Pages with random limits, now and then waiting for what comes. */
  static final class Polling extends Reader {
    private String cursor;

    Polling(HttpClient http, Supplier<URI> server, String key, long seed, String cursor) {
      super(http, server, key, seed);
      this.cursor = cursor;
    }

    @Override
    void connect() throws IOException, InterruptedException {
      int limit = 1 + random.nextInt(random.nextInt(4) == 0 ? 1000 : 20);
      int wait = random.nextInt(3) == 0 ? random.nextInt(300) : 0;
      JsonNode page =
          get("/api/ddl/events/changes?cursor=" + cursor + "&limit=" + limit + "&wait=" + wait);
      if (page.get("events").size() > limit) {
        throw new AssertionError(
            page.get("events").size() + " events (expected: <= " + limit + ")");
      }
      page.get("events").forEach(this::take);
      cursor = page.get("cursor").asText();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
      HttpResponse<byte[]> response =
          http.send(
              HttpRequest.newBuilder(server.get().resolve(path))
                  .header("Authorization", "Bearer " + key)
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() == 503) {
        throw new IOException("not ready");
      }
      if (response.statusCode() != 200) {
        throw new AssertionError(
            response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8));
      }
      return Model.JSON.readTree(response.body());
    }
  }

  static Collection<JsonNode> ofTable(String table, Collection<JsonNode> events) {
    return events.stream().filter(event -> event.get("table").asText().equals(table)).toList();
  }
}
