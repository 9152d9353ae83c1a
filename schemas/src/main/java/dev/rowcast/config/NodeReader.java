package dev.rowcast.config;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what concerns the node itself: {@code server}, {@code kafka}, {@code connect}. */
final class NodeReader {
  private static final int SECRET_MIN = 32;
  private static final Duration WEEK = Duration.ofDays(7);

  private final Faults faults;
  private final Map<String, String> environment;

  NodeReader(Faults faults, Map<String, String> environment) {
    this.faults = faults;
    this.environment = environment;
  }

  ServerConfig server(Section server) {
    ServerConfig absent = ServerConfig.DEFAULT;
    String host = server.text("host", Forms.HOST, Forms.HOST_EXPECTED);
    ServerConfig read =
        new ServerConfig(
            host == null ? absent.host() : host,
            server.number("port", absent.port(), 0, 65535),
            server.duration(
                "heartbeat", absent.heartbeat(), Duration.ofMillis(100), Duration.ofHours(1)),
            server.duration(
                "token_lifetime",
                absent.tokenLifetime(),
                Duration.ofSeconds(1),
                Duration.ofDays(30)),
            origins(server),
            server.number("max_page_bytes", absent.maxPageBytes(), 1024, 64 << 20));
    server.end();
    return read;
  }

  private List<String> origins(Section server) {
    List<String> origins = new ArrayList<>();
    for (Yaml.Scalar origin : server.scalars("allowed_origins")) {
      if (Forms.isOrigin(origin.text())) {
        origins.add(origin.text());
      } else {
        faults.add(
            origin.place(),
            "'" + origin.text() + "'",
            "an origin such as https://app.example, or *");
      }
    }
    return origins;
  }

  KafkaConfig kafka(Section kafka) {
    String servers = kafka.text("bootstrap_servers", Forms.SERVERS, Forms.SERVERS_EXPECTED);
    String prefix = kafka.text("topic_prefix", Forms.TOPIC_PREFIX, Forms.TOPIC_PREFIX_EXPECTED);
    String nodeId = kafka.text("node_id", Forms.ID, Forms.ID_EXPECTED);
    KafkaConfig read =
        new KafkaConfig(
            servers == null
                ? environment.getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
                : servers,
            prefix == null ? "" : prefix,
            // at least what webhooks need until their last retry
            kafka.duration("retention", WEEK, Duration.ofDays(2), Duration.ofDays(3650)),
            kafka.number("replication_factor", 1, 1, Short.MAX_VALUE),
            nodeId == null ? hostName() : nodeId,
            kafka.properties("properties"));
    kafka.end();
    return read;
  }

  /** Containers and shells tell it; it tells nodes apart without a setting. */
  private String hostName() {
    String name = environment.getOrDefault("HOSTNAME", "");
    return Forms.ID.matcher(name).matches() ? name : "rowcast";
  }

  ConnectConfig connect(Section connect) {
    URI url = url(connect, "url", "http://localhost:8083", faults);
    connect.end();
    return new ConnectConfig(url == null ? URI.create("http://localhost:8083") : url);
  }

  /** What signs tokens: short ones can be guessed. Never shown. */
  @Nullable Secret secret(Section root) {
    return secret(root, "secret");
  }

  /**
   * @param roles the ids of all roles
   */
  AuthConfig auth(Section section, Set<String> roles) {
    Secret adminKey = secret(section, "admin_key");
    AuthConfig auth = new AuthConfig(adminKey, new JwtReader(faults, roles).read(section));
    section.end();
    return auth;
  }

  private @Nullable Secret secret(Section section, String key) {
    String secret = section.text(key);
    if (secret != null && secret.length() < SECRET_MIN) {
      faults.add(
          section.placeOf(key),
          "has " + secret.length() + " characters",
          "at least " + SECRET_MIN + ", made by chance: openssl rand -base64 32");
      return null;
    }
    return secret == null ? null : new Secret(secret);
  }

  /** A http or https URL without user and password; null where there is none. */
  static @Nullable URI url(Section section, String key, String example, Faults faults) {
    String text = section.text(key);
    URI url = text == null ? null : Forms.httpUrl(text);
    if (text != null && (url == null || url.getRawUserInfo() != null)) {
      faults.add(
          section.placeOf(key),
          url == null ? "'" + text + "'" : "has a user in it",
          "a URL such as " + example);
      return null;
    }
    return url;
  }
}
