package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReloadTest {
  private static final String YAML =
      """
      server: {port: 8080}
      secret: 0123456789abcdef0123456789abcdef
      sources:
        - {id: db, type: postgresql, url: "jdbc:postgresql://h/shop", username: u, password: p}
      tables:
        - {id: orders, source_id: db, columns: [{name: email, visible_to: [admin]}]}
        - {id: people, source_id: db}
      roles: [{id: analyst}]
      rls_rules:
        - {table_id: orders, role_id: analyst, filter: a = 1}
        - {table_id: people, role_id: analyst, filter: b = 2}
      """;

  private static Configuration load(String yaml) throws InvalidConfigurationException {
    return new ConfigurationLoader(Map.of()).load("rowcast.yaml", yaml).configuration();
  }

  private static Configuration changed(String from, String to)
      throws InvalidConfigurationException {
    assertTrue(YAML.contains(from), from);
    return load(YAML.replace(from, to));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port: 8080|port: 8081|server",
        "0123456789abcdef0123|fedcba98765432100123|secret",
        "//h/shop|//h/other|sources",
        "id: people, source_id: db|id: people, source_id: db, live: {notify: off}|tables: public.people",
        "id: people, source_id: db|id: people, source_id: db, key_columns: [a]|tables: public.people",
        "name: email,|name: email, data_type: text,|tables: public.orders",
      })
  void whatIsBuiltInWaitsForARestart(String from, String to, String named) throws Exception {
    Configuration started = load(YAML);
    assertEquals(List.of(named), Reload.waitingForRestart(started, changed(from, to)));
    assertTrue(Reload.merged(started, changed(from, to)).server().equals(started.server()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "filter: a = 1|filter: a = 2",
        "[{id: analyst}]|[{id: analyst}, {id: guest}]",
        "visible_to: [admin]|visible_to: [admin, analyst]",
        "visible_to: [admin]|mask: {type: hash}",
      })
  void rulesDoNotWait(String from, String to) throws Exception {
    Configuration started = load(YAML);
    Configuration merged = Reload.merged(started, changed(from, to));
    assertEquals(List.of(), Reload.waitingForRestart(started, changed(from, to)));
    assertFalse(Reload.samePolicy(started, merged));
    assertEquals(changed(from, to), merged);
  }

  @Test
  void authAloneLeavesThePolicyAsItIs() throws Exception {
    String auth = "auth: {admin_key: 0123456789abcdef0123456789abcdef}\nserver:";
    assertTrue(Reload.samePolicy(load(YAML), Reload.merged(load(YAML), changed("server:", auth))));
  }

  /** Without rules of its own everybody would see it, for as long as it is captured. */
  @Test
  void aTableThatIsTakenOutKeepsItsRulesUntilItIsCapturedNoMore() throws Exception {
    Configuration next =
        load(
            YAML.replace("  - {id: people, source_id: db}\n", "")
                .replace("  - {table_id: people, role_id: analyst, filter: b = 2}\n", ""));
    Configuration merged = Reload.merged(load(YAML), next);
    assertEquals(2, merged.tables().size());
    assertTrue(merged.rlsRules().contains(new RlsRuleConfig("people", "analyst", "b = 2")));
    assertEquals(List.of("tables: public.people"), Reload.waitingForRestart(load(YAML), next));
    assertEquals(merged, Reload.merged(merged, next), "also at the next reload");
  }

  @Test
  void anIdThatMeansAnotherTableIsRefused() throws Exception {
    Configuration next = changed("{id: people,", "{id: people, table: persons,");
    ProblemException refused =
        assertThrows(ProblemException.class, () -> Reload.merged(load(YAML), next));
    assertTrue(refused.problem().detail().contains("'people'"));
  }
}
