package dev.rowcast.edge.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/**
 * Fetches key sets: one request, no redirect followed, one deadline for all of it, and no more read
 * than a key set may have. Thread-safe.
 */
final class JwksClient {
  static final Duration DEADLINE = Duration.ofSeconds(5);
  static final int MAX_BYTES = 256 << 10;

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(DEADLINE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /** The text there; fails with whatever is in the way, within {@link #DEADLINE}. */
  CompletableFuture<String> fetch(URI url) {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .timeout(DEADLINE)
            .header("Accept", "application/jwk-set+json, application/json")
            .build();
    CompletableFuture<HttpResponse<String>> exchange =
        http.sendAsync(request, info -> new BoundedText());
    return exchange
        .copy()
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        // the request's own timeout ends with the headers: a body that trickles is cut off here
        .whenComplete((response, failure) -> exchange.cancel(true))
        .thenApply(JwksClient::text);
  }

  private static String text(HttpResponse<String> response) {
    if (response.statusCode() != 200) {
      throw new IllegalStateException("status " + response.statusCode() + " (expected: 200)");
    }
    return response.body();
  }

  /** Takes a body as text and gives up on one that is too long. */
  private static final class BoundedText implements BodySubscriber<String> {
    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    @Override
    public CompletionStage<String> getBody() {
      return text;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        if (bytes.size() + buffer.remaining() > MAX_BYTES) {
          subscription.join().cancel();
          text.completeExceptionally(
              new IOException("more than " + MAX_BYTES + " bytes (expected: a key set)"));
          return;
        }
        byte[] some = new byte[buffer.remaining()];
        buffer.get(some);
        bytes.writeBytes(some);
      }
    }

    @Override
    public void onError(Throwable failure) {
      text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      text.complete(bytes.toString(UTF_8));
    }
  }
}
