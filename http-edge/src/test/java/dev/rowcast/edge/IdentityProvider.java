package dev.rowcast.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An issuer of tokens: it signs them, and publishes its keys over HTTP on this machine. */
final class IdentityProvider implements AutoCloseable {
  static final String ISSUER = "https://idp.example";

  final RsaJsonWebKey rsa = rsa("rsa-1");
  final PublicJsonWebKey ec = ec("ec-1");
  final AtomicInteger fetches = new AtomicInteger();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Answer answer = keys(rsa, ec);

  /** What a request for the keys gets. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  IdentityProvider() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/keys", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    fetches.incrementAndGet();
    try (exchange) {
      answer.to(exchange);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
  }

  void answers(Answer next) {
    answer = next;
  }

  /** The public halves of these. */
  static Answer keys(PublicJsonWebKey... keys) {
    return text(200, new JsonWebKeySet(List.of(keys)).toJson(OutputControlLevel.PUBLIC_ONLY));
  }

  static Answer text(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  static Answer redirect(URI to) {
    return exchange -> {
      exchange.getResponseHeaders().add("Location", to.toString());
      exchange.sendResponseHeaders(302, -1);
    };
  }

  /** Bytes for as long as somebody takes them. */
  static Answer endless() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      byte[] some = " ".repeat(8192).getBytes(UTF_8);
      while (true) {
        out.write(some);
      }
    };
  }

  /** Headers at once, and then nothing until this is closed. */
  Answer hanging() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  static RsaJsonWebKey rsa(String id) {
    try {
      RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
      key.setKeyId(id);
      return key;
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  static PublicJsonWebKey ec(String id) {
    try {
      PublicJsonWebKey key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
      key.setKeyId(id);
      return key;
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  /** A token of our RSA key's. */
  String token(String claims) {
    return sign(rsa, "RS256", claims, Map.of());
  }

  static String sign(
      PublicJsonWebKey key, String algorithm, String claims, Map<String, String> headers) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(claims);
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setKeyIdHeaderValue(key.getKeyId());
    headers.forEach(signature::setHeader);
    signature.setKey(key.getPrivateKey());
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
