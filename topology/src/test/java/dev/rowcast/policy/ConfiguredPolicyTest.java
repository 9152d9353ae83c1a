package dev.rowcast.policy;

import static dev.rowcast.policy.Configurations.CUSTOMERS;
import static dev.rowcast.policy.Configurations.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.Configuration;
import dev.rowcast.event.Column;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.RowLookup;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfiguredPolicyTest {
  private static final TableId UNLISTED = new TableId("public", "audit");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          region = :region                                   | true
          :region = region                                   | true
          region = current_setting('provisa.user_region')    | true
          region = current_setting('provisa.region', true)   | true
          REGION = Current_Setting ( 'user_region' , TRUE )  | true
          "region" = 'east'                                  | true
          'east' = region                                    | true
          region = 'EAST'                                    | false
          amount = 55                                        | true
          amount = 55.000                                    | true
          amount = -55                                       | false
          amount = '55'                                     | true
          amount = :limit                                    | true
          amount = current_setting('limit')::numeric         | true
          owner = :sub                                       | true
          kind = :role                                       | true
          active = true                                      | true
          active = false                                     | false
          gone = 'x'                                         | false
          gone = :region                                     | false
          missing = :region                                  | false
          region = :nothing                                  | false
          region = :list                                     | false
          true                                               | true
          FALSE                                              | false
          name = 'it''s'                                     | true
          """)
  void aPredicateIsReadAsSqlReadsIt(String filter, boolean visible) {
    Policy policy = new Configurations().typed().rule("analyst", filter).policy();
    Identity identity =
        identity(
            "analyst",
            Map.of("region", "east", "limit", new BigDecimal("55.0"), "list", List.of("east")));
    JsonObject row =
        json(
            "{\"region\":\"east\",\"amount\":55.00,\"owner\":\"u-7\",\"kind\":\"analyst\","
                + "\"active\":true,\"gone\":null,\"name\":\"it's\"}");
    assertEquals(visible, policy.view(identity).access(ORDERS).orElseThrow().rows().test(row));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "region = ",
        "region = 55",
        "amount = current_setting('limit')",
        "amount + region > 1",
        "pg_sleep(1) IS NULL",
        "amount = 'x'",
        "1 / 0 = 1",
        "region ~ 'e'",
        "region = 'east' -- comment",
        "region = 'east",
        "customers.region = 'east'",
        "a < b < c",
        "region = current_setting(region)",
        "region = current_setting('a', 'b')",
        "tenant_id = 42x",
        "EXISTS (SELECT 1)",
        "EXISTS (SELECT 1 FROM nowhere)",
        "1"
      })
  void anythingElseIsRefusedAtLoadAndSaysWhatIsExpected(String filter) {
    Configurations configuration = new Configurations().typed().rule("analyst", filter);
    InvalidRuleException refused = assertThrows(InvalidRuleException.class, configuration::policy);
    assertEquals("orders", refused.table());
    assertEquals("analyst", refused.subject());
    assertTrue(refused.position() >= 1 && refused.position() <= filter.length() + 1);
    assertTrue(String.valueOf(refused.getMessage()).contains("(expected: "));
  }

  @Test
  void aRefusalNamesThePosition() {
    InvalidRuleException refused =
        assertThrows(
            InvalidRuleException.class,
            () -> new Configurations().typed().rule("analyst", "region =  5 ").policy());
    assertEquals(
        "rule of table 'orders' for role 'analyst', at character 8: no operator text ="
            + " integer (expected: types that compare; a cast says which)",
        refused.getMessage());
  }

  @Test
  void aSecondRuleForTheSameRoleAndTableIsRefused() {
    Configurations twice =
        new Configurations().typed().rule("analyst", "true").rule("analyst", "false");
    assertThrows(InvalidRuleException.class, twice::policy);
  }

  @Test
  void aMissingClaimClosesTheTableAndIsCounted() {
    List<String> missing = new ArrayList<>();
    Policy policy =
        new ConfiguredPolicy(
            new Configurations().typed().rule("analyst", "region = :region").build(),
            Configurations.KEY,
            (table, role) -> missing.add(table + " " + role));
    View view = policy.view(identity("analyst", Map.of()));
    assertEquals(new RowFilter.Nothing(), view.access(ORDERS).orElseThrow().rows());
    assertEquals(List.of("public.orders analyst"), missing);
  }

  @Test
  void aRoleWithoutARuleWhereOthersHaveOneHasNoAccess() {
    Policy policy = new Configurations().typed().rule("analyst", "region = :region").policy();
    assertTrue(policy.view(identity("support", Map.of())).access(ORDERS).isEmpty());
    assertTrue(policy.view(identity("support", Map.of())).access(CUSTOMERS).isPresent());
  }

  @Test
  void adminSeesAllUnlessRuledOtherwise() {
    RowFilter open = new RowFilter.Everything();
    View free =
        new Configurations()
            .typed()
            .rule("analyst", "true")
            .policy()
            .view(identity("admin", Map.of()));
    assertEquals(open, free.access(ORDERS).orElseThrow().rows());
    View ruled =
        new Configurations()
            .typed()
            .rule("admin", "false")
            .policy()
            .view(identity("admin", Map.of()));
    assertEquals(List.of(), ruled.access(ORDERS).orElseThrow().rows().entries());
  }

  @Test
  void aRoleSeesTheRowsOfTheRolesThatItInheritsToo() {
    Policy policy =
        new Configurations()
            .typed()
            .inherits("support", "analyst")
            .rule("analyst", "region = 'east'")
            .rule("support", "amount < 10")
            .policy();
    RowFilter rows = policy.view(identity("support", Map.of())).access(ORDERS).orElseThrow().rows();
    assertTrue(rows.test(json("{\"region\":\"east\",\"amount\":50}")));
    assertTrue(rows.test(json("{\"region\":\"west\",\"amount\":5}")));
    assertFalse(rows.test(json("{\"region\":\"west\",\"amount\":50}")));
  }

  @Test
  void aTableIsClosedUntilTheTypesThatARuleNeedsAreKnown() {
    AtomicReference<List<Column>> found = new AtomicReference<>(List.of());
    Configuration configuration = new Configurations().rule("analyst", "region = :region").build();
    Policy policy =
        new ConfiguredPolicy(
            configuration,
            Configurations.KEY,
            (table, role) -> {},
            new ConfiguredColumns(configuration, table -> found.get()),
            RowLookup.NONE);
    View view = policy.view(identity("analyst", Map.of("region", "east")));
    JsonObject row = json("{\"region\":\"east\"}");
    assertFalse(view.access(ORDERS).orElseThrow().rows().test(row));
    found.set(List.of(Column.of("region", "text")));
    assertTrue(view.access(ORDERS).orElseThrow().rows().test(row));
  }

  @Test
  void aRuleThatFailsOnARowHidesItAndIsCounted() {
    List<String> failed = new ArrayList<>();
    HiddenRows hidden =
        new HiddenRows() {
          @Override
          public void missingClaim(TableId table, String role) {}

          @Override
          public void failed(TableId table, String role) {
            failed.add(table + " " + role);
          }
        };
    Policy policy =
        new ConfiguredPolicy(
            new Configurations().typed().rule("analyst", "1 / amount > 0").build(),
            Configurations.KEY,
            hidden);
    RowFilter rows = policy.view(identity("analyst", Map.of())).access(ORDERS).orElseThrow().rows();
    assertFalse(rows.test(json("{\"amount\":0}")));
    assertTrue(rows.test(json("{\"amount\":1}")));
    assertEquals(List.of("public.orders analyst"), failed);
  }

  @ParameterizedTest
  @CsvSource({"16_400_characters, 16400", "deep, 70"})
  void aPredicateThatIsTooLongOrTooDeepIsRefused(String what, int size) {
    String filter =
        what.equals("deep") ? "(".repeat(size) + "true" + ")".repeat(size) : " ".repeat(size);
    Configurations configuration = new Configurations().typed().rule("analyst", filter);
    assertThrows(InvalidRuleException.class, configuration::policy);
  }

  @Test
  void anUnknownRoleSeesNothing() {
    View view = new Configurations().policy().view(identity("nobody", Map.of()));
    assertTrue(view.access(ORDERS).isEmpty());
    assertTrue(view.access(UNLISTED).isEmpty());
  }

  @Test
  void tablesThatTheConfigurationDoesntListAreSeenByEveryRole() {
    View view = new Configurations().policy().view(identity("support", Map.of()));
    assertEquals(
        new TableAccess(new RowFilter.Everything(), ColumnRules.ALL),
        view.access(UNLISTED).orElseThrow());
  }

  @Test
  void viewsAreEqualWhereTheClaimsThatRulesReadAre() {
    Policy policy = new Configurations().typed().rule("analyst", "region = :region").policy();
    View one = policy.view(identity("analyst", Map.of("region", "east", "name", "Ann")));
    View two = policy.view(identity("analyst", Map.of("region", "east", "name", "Bob")));
    View other = policy.view(identity("analyst", Map.of("region", "west")));
    assertEquals(one, two);
    assertEquals(one.hashCode(), two.hashCode());
    assertNotEquals(one, other);
  }

  @Test
  void aScopeNarrowsTablesAndFieldsAndHidesTheActor() {
    Policy policy = new Configurations().visibleTo("secret", "admin").policy();
    Scope scope = new Scope(Set.of(ORDERS), Map.of(ORDERS, Set.of("id", "secret")));
    View view = policy.view(new Identity("u-7", "analyst", Map.of(), scope));
    ColumnRules columns = view.access(ORDERS).orElseThrow().columns();
    assertEquals(new ColumnRules(Set.of("id"), Set.of(), Map.of(), false), columns);
    assertTrue(view.access(CUSTOMERS).isEmpty());
    assertTrue(view.access(UNLISTED).isEmpty());
  }

  @Test
  void aKeyRestrictedToFieldsOfOneTableIsToldNoActorsOfOthers() {
    Scope scope = new Scope(null, Map.of(ORDERS, Set.of("id")));
    View view = new Configurations().policy().view(new Identity("u", "analyst", Map.of(), scope));
    assertFalse(view.access(CUSTOMERS).orElseThrow().columns().actor());
    assertFalse(view.access(UNLISTED).orElseThrow().columns().actor());
  }

  @Test
  void visibleToHidesColumnsFromOthers() {
    Policy policy = new Configurations().visibleTo("cost", "admin").policy();
    assertFalse(
        policy
            .view(identity("analyst", Map.of()))
            .access(ORDERS)
            .orElseThrow()
            .columns()
            .shows("cost"));
    assertTrue(
        policy.view(identity("admin", Map.of())).access(ORDERS).orElseThrow().columns().showsAll());
  }

  private static Identity identity(String role, Map<String, Object> claims) {
    return new Identity("u-7", role, claims, Scope.ALL);
  }

  private static JsonObject json(String json) {
    return JsonObject.of(json.getBytes(StandardCharsets.UTF_8));
  }
}
