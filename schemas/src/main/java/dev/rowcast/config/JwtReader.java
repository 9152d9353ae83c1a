package dev.rowcast.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.config.JwtAlgorithm.Family;
import dev.rowcast.config.JwtConfig.JwtKeys;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code auth.jwt}: one issuer or a list of them. */
final class JwtReader {
  private static final String ANY = "*";
  private static final String URL = "https://issuer.example/.well-known/jwks.json";
  private static final String ISSUER = "what tokens have as iss, such as https://issuer.example";
  private static final String AUDIENCE =
      "what tokens have as aud for this service, or '*' to take tokens that are meant for others";
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[(::|0:0:0:0:0:0:0:)1]");

  private final Faults faults;
  private final Set<String> roles;
  private final Set<String> issuers = new HashSet<>();

  /**
   * @param roles the ids of all roles
   */
  JwtReader(Faults faults, Set<String> roles) {
    this.faults = faults;
    this.roles = roles;
  }

  List<JwtConfig> read(Section auth) {
    List<JwtConfig> read = new ArrayList<>();
    for (Section section : auth.sectionOrSections("jwt")) {
      JwtConfig jwt = issuer(section);
      section.end();
      if (jwt != null) {
        read.add(jwt);
      }
    }
    return read;
  }

  private @Nullable JwtConfig issuer(Section jwt) {
    JwtKeys keys = keys(jwt);
    List<String> issuer = issuers(jwt);
    List<String> audience = audiences(jwt);
    Set<JwtAlgorithm> algorithms = algorithms(jwt, keys);
    String roleClaim = path(jwt, "role_claim", "role");
    String defaultRole = jwt.reference("default_role", "role", roles);
    String subjectClaim = path(jwt, "subject_claim", "sub");
    Map<String, String> claims = claims(jwt);
    Duration leeway =
        jwt.duration("leeway", Duration.ofSeconds(30), Duration.ZERO, Duration.ofMinutes(10));
    int maxBytes = jwt.number("max_bytes", 8192, 256, 12288);
    if (keys == null || issuer.isEmpty()) {
      return null;
    }
    return new JwtConfig(
        keys,
        issuer,
        audience,
        algorithms,
        roleClaim,
        defaultRole,
        subjectClaim,
        claims,
        leeway,
        maxBytes);
  }

  private @Nullable JwtKeys keys(Section jwt) {
    URI url = NodeReader.url(jwt, "jwks_url", URL, faults);
    boolean allowHttp = jwt.flag("allow_http", false);
    Duration refresh =
        jwt.duration(
            "jwks_refresh", Duration.ofMinutes(5), Duration.ofSeconds(1), Duration.ofDays(1));
    String secret = jwt.text("secret");
    if (jwt.has("jwks_url") == jwt.has("secret")) {
      faults.add(
          jwt.place(),
          jwt.has("secret") ? "jwks_url beside secret" : "neither jwks_url nor secret",
          "either where the issuer publishes its keys, or a secret shared with it");
      return null;
    }
    if (url != null && isPlain(url) && !allowHttp) {
      faults.add(
          jwt.placeOf("jwks_url"),
          "http to another machine, whose keys anybody between could replace",
          "https, or allow_http: true where the network is trusted");
      return null;
    }
    if (secret != null) {
      return new JwtKeys.Shared(new Secret(secret));
    }
    return url == null ? null : new JwtKeys.Published(url, refresh);
  }

  private static boolean isPlain(URI url) {
    return url.getScheme().equals("http") && !LOOPBACK.matcher(url.getHost()).matches();
  }

  private List<String> issuers(Section jwt) {
    List<String> read = new ArrayList<>();
    for (Yaml.Scalar issuer : jwt.scalarOrScalars("issuer")) {
      if (issuers.add(issuer.text())) {
        read.add(issuer.text());
      } else {
        faults.add(issuer.place(), "'" + issuer.text() + "' again", "each issuer in one entry");
      }
    }
    if (!jwt.has("issuer")) {
      faults.missing(jwt.place(), "issuer", ISSUER);
    }
    return read;
  }

  private List<String> audiences(Section jwt) {
    List<String> read = jwt.scalarOrScalars("audience").stream().map(Yaml.Scalar::text).toList();
    if (!jwt.has("audience")) {
      faults.missing(jwt.place(), "audience", AUDIENCE);
    }
    if (!read.contains(ANY)) {
      return read;
    }
    faults.warn(
        jwt.placeOf("audience"),
        "tokens that the issuer gave for other services are taken",
        "the audience of this one");
    return List.of();
  }

  private Set<JwtAlgorithm> algorithms(Section jwt, @Nullable JwtKeys keys) {
    Family family = keys instanceof JwtKeys.Shared ? Family.SHARED_SECRET : Family.PUBLIC_KEY;
    Map<String, JwtAlgorithm> known = new LinkedHashMap<>();
    for (JwtAlgorithm algorithm : JwtAlgorithm.values()) {
      if (algorithm.family() == family) {
        known.put(algorithm.wire(), algorithm);
      }
    }
    Set<JwtAlgorithm> read = EnumSet.noneOf(JwtAlgorithm.class);
    for (Yaml.Scalar item : jwt.scalarOrScalars("algorithms")) {
      JwtAlgorithm algorithm = known.get(item.text());
      if (algorithm != null) {
        read.add(algorithm);
      } else if (keys != null) {
        faults.unknown(item.place(), "algorithm", item.text(), known.keySet());
      }
    }
    if (!jwt.has("algorithms")) {
      read.addAll(
          family == Family.SHARED_SECRET
              ? Set.of(JwtAlgorithm.HS256)
              : Set.of(JwtAlgorithm.RS256, JwtAlgorithm.ES256));
    } else if (read.isEmpty()) {
      faults.add(jwt.placeOf("algorithms"), "no algorithm", "at least one");
    }
    if (keys instanceof JwtKeys.Shared shared) {
      requireLength(jwt, shared.secret(), read);
    }
    return read;
  }

  /** A secret that is shorter than the hash can be guessed from one token (RFC 7518, 3.2). */
  private void requireLength(Section jwt, Secret secret, Set<JwtAlgorithm> algorithms) {
    int bytes = secret.reveal().getBytes(UTF_8).length;
    int least = algorithms.stream().mapToInt(JwtAlgorithm::minSecretBytes).max().orElse(0);
    if (bytes < least) {
      faults.add(
          jwt.placeOf("secret"),
          "has " + bytes + " bytes",
          "at least " + least + ", made by chance: openssl rand -base64 " + least);
    }
  }

  private String path(Section jwt, String key, String absent) {
    String path = jwt.text(key);
    if (path != null && path.isBlank()) {
      faults.add(jwt.placeOf(key), "empty", "a claim's name or dotted path, such as " + absent);
    }
    return path == null ? absent : path;
  }

  private @Nullable Map<String, String> claims(Section jwt) {
    Map<String, String> claims = jwt.properties("claims");
    claims.forEach(
        (name, path) -> {
          if (name.isBlank() || path.isBlank()) {
            faults.add(
                jwt.placeOf("claims"),
                "'" + name + "': '" + path + "'",
                "a name for rules and the claim's dotted path");
          }
        });
    return jwt.has("claims") ? claims : null;
  }
}
