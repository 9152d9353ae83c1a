package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rowcast.config.JwtConfig.JwtKeys;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtReaderTest {
  private static final Secret SECRET = new Secret("0123456789abcdef0123456789abcdef");

  private static LoadedConfiguration load(String jwt) throws InvalidConfigurationException {
    return ConfigurationLoaderTest.load(
        ConfigurationLoaderTest.SMALL + "auth: {jwt: " + jwt + "}\n");
  }

  @Test
  void everyKeyArrivesInItsRecord() throws Exception {
    Configuration full =
        ConfigurationLoaderTest.load(ConfigurationLoaderTest.resource("full.yaml")).configuration();
    assertEquals(SECRET, full.auth().adminKey());
    assertEquals(
        List.of(
            new JwtConfig(
                new JwtKeys.Published(
                    URI.create("http://idp.internal/keys"), Duration.ofMinutes(1)),
                List.of("https://idp.example", "https://idp.example/"),
                List.of("rowcast"),
                Set.of(JwtAlgorithm.ES256, JwtAlgorithm.EDDSA),
                "realm_access.roles",
                "analyst",
                "user.id",
                Map.of("tenant", "app_metadata.tenant", "provisa.user_region", "region"),
                Duration.ofSeconds(5),
                4096),
            new JwtConfig(
                new JwtKeys.Shared(SECRET),
                List.of("app"),
                List.of("rowcast", "other"),
                Set.of(JwtAlgorithm.HS256),
                "role",
                null,
                "sub",
                null,
                Duration.ofSeconds(30),
                8192)),
        full.auth().jwt());
  }

  @Test
  void oneIssuerNeedsNoList() throws Exception {
    JwtConfig jwt =
        load("{jwks_url: 'https://i/k', issuer: i, audience: a}")
            .configuration()
            .auth()
            .jwt()
            .get(0);
    assertEquals(Set.of(JwtAlgorithm.RS256, JwtAlgorithm.ES256), jwt.algorithms());
    assertEquals(
        new JwtKeys.Published(URI.create("https://i/k"), Duration.ofMinutes(5)), jwt.keys());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:1", "127.0.0.1", "127.1.2.3:80", "[::1]:9"})
  void plainHttpIsForThisMachine(String host) throws Exception {
    load("{jwks_url: 'http://" + host + "/k', issuer: i, audience: a}");
  }

  @Test
  void tokensForOthersAreTakenWithAWarningOnly() throws Exception {
    LoadedConfiguration loaded = load("{jwks_url: 'https://i/k', issuer: i, audience: '*'}");
    assertEquals(List.of(), loaded.configuration().auth().jwt().get(0).audiences());
    assertEquals(1, loaded.warnings().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|auth.jwt: neither jwks_url nor secret",
        "{}|auth.jwt.issuer: missing",
        "{}|auth.jwt.audience: missing",
        "7|auth.jwt: a number (expected: a list of mappings)",
        "{jwks_url: 'https://i/k', secret: x}|auth.jwt: jwks_url beside secret",
        "{jwks_url: 'http://i/k'}|auth.jwt.jwks_url: http to another machine",
        "{jwks_url: 'http://localhost.evil.example/k'}|auth.jwt.jwks_url: http to another machine",
        "{jwks_url: 'http://127.0.0.1.evil.example/k'}|auth.jwt.jwks_url: http to another machine",
        "{jwks_url: 'https://u:p@i/k'}|auth.jwt.jwks_url: has a user in it",
        "{jwks_url: 'file:///etc/passwd'}|auth.jwt.jwks_url: 'file:///etc/passwd'",
        "{jwks_url: 'https://i/k', algorithms: [HS256]}|unknown algorithm 'HS256'",
        "{jwks_url: 'https://i/k', algorithms: none}|unknown algorithm 'none'",
        "{jwks_url: 'https://i/k', algorithms: []}|auth.jwt.algorithms: no algorithm",
        "{secret: '0123456789abcdef0123456789abcdef', algorithms: RS256}|unknown algorithm 'RS256'",
        "{secret: hush}|auth.jwt.secret: has 4 bytes",
        "{secret: '0123456789abcdef0123456789abcdef', algorithms: HS512}|secret: has 32 bytes",
        "{secret: '0123456789abcdef0123456789abcdef', issuer: [i, i]}|'i' again",
        "{issuer: ''}|auth.jwt.issuer: empty",
        "{default_role: kign}|unknown role 'kign'",
        "{claims: {a: ''}}|auth.jwt.claims: 'a': ''",
        "{role_claim: ''}|auth.jwt.role_claim: empty",
        "{leeway: 1h}|auth.jwt.leeway: '1h'",
        "{max_bytes: 1000000}|auth.jwt.max_bytes: 1000000",
      })
  void whatCannotBeMeantIsRefusedByName(String jwt, String fault) {
    InvalidConfigurationException refused =
        assertThrows(InvalidConfigurationException.class, () -> load(jwt));
    assertEquals(
        1,
        refused.faults().stream().filter(f -> f.toString().contains(fault)).count(),
        refused.getMessage());
    assertFalse(refused.getMessage().contains("hush"), "secrets aren't shown");
  }

  @Test
  void twoEntriesHaveNoIssuerInCommon() {
    String entry = "{jwks_url: 'https://i/k', audience: a, issuer: i}";
    InvalidConfigurationException refused =
        assertThrows(
            InvalidConfigurationException.class, () -> load("[" + entry + ", " + entry + "]"));
    assertEquals(1, refused.faults().size());
  }
}
