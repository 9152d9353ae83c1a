package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProposalTest {
  private static final ConfigurationLoader LOADER = new ConfigurationLoader(Map.of());

  @TempDir private Path directory;
  private Configuration running;

  @BeforeEach
  void load() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("rowcast.yaml"),
            ConfigurationLoaderTest.SMALL
                + "roles: [{id: analyst}, {id: guest}]\n"
                + "rls_rules: [{table_id: orders, role_id: analyst, filter: 'id = 1'}]\n");
    running = LOADER.load(file).configuration();
  }

  private Configuration propose(String text) throws InvalidConfigurationException {
    return LOADER.propose(running, "proposal", text);
  }

  @Test
  void whatAProposalLeavesOutStaysAsItIs() throws Exception {
    assertEquals(running, propose(""));
    assertEquals(running, propose("{}"));
    Configuration rules =
        propose(
            "{\"rls_rules\":[{\"table_id\":\"orders\",\"role_id\":\"guest\",\"filter\":\"x\"}]}");
    assertEquals(List.of(new RlsRuleConfig("orders", "guest", "x")), rules.rlsRules());
    assertEquals(running.roles(), rules.roles());
    assertEquals(running.tables(), rules.tables());
    assertEquals(List.of(), propose("rls_rules: []").rlsRules());
  }

  @Test
  void columnsOfATableAreReplacedAndNothingElseOfIt() throws Exception {
    TableConfig before = running.tables().get(0);
    TableConfig after =
        propose("tables: [{id: orders, columns: [{name: note, visible_to: [guest]}]}]")
            .tables()
            .get(0);
    assertEquals(List.of("guest"), after.columns().get(0).visibleTo());
    assertEquals(before.table(), after.table());
    assertEquals(before.live(), after.live());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          7                                                                   | a mapping
          roles: [                                                            | proposal:
          sources: []                                                         | sources
          roles: [{id: guest}]                                                | no 'analyst'
          tables: [{columns: []}]                                             | id
          tables: [{id: nowhere}]                                             | nowhere
          tables: [{id: orders}, {id: orders}]                                | again
          tables: [{id: orders, source_id: shop}]                             | source_id
          rls_rules: [{table_id: orders, role_id: nobody, filter: x}]         | nobody
          rls_rules: [{table_id: orders, role_id: guest, filter: '${env:A}'}] | A
          """)
  void faultsAreNamed(String text, String named) {
    InvalidConfigurationException faulty =
        assertThrows(InvalidConfigurationException.class, () -> propose(text));
    assertTrue(faulty.faults().toString().contains(named), faulty.faults().toString());
  }
}
