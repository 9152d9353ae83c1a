package dev.rowcast.policy;

import static dev.rowcast.policy.Configurations.CUSTOMERS;
import static dev.rowcast.policy.Configurations.ORDERS;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.TableConfig.MaskType;
import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.explain.Explanation;
import dev.rowcast.policy.explain.Explanation.Access;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyExplanationTest {
  private static final JsonObject ROW = json("{\"region\":\"east\",\"amount\":5}");

  private static JsonObject json(String text) {
    return JsonObject.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Identity somebody(String role) {
    return new Identity("u-7", role, Map.of("region", "east"), Scope.ALL);
  }

  private static Explanation explain(Policy policy, Identity reader, JsonObject row) {
    return policy.explain(reader, ORDERS, JsonObject.EMPTY, row);
  }

  @ParameterizedTest
  @CsvSource({
    "analyst, BY_RULES, true",
    "support, NO_RULE, false",
    "admin, EVERY_ROW, true",
    "stranger, UNKNOWN_ROLE, false",
  })
  void whatDecidesIsTold(String role, Access access, boolean visible) {
    Policy policy = new Configurations().typed().rule("analyst", "region = :region").policy();
    Explanation explanation = explain(policy, somebody(role), ROW);
    assertEquals(access, explanation.access());
    assertEquals(visible, explanation.visible());
  }

  @Test
  void aScopeThatLeavesTheTableOutDecides() {
    Policy policy = new Configurations().policy();
    Identity scoped = new Identity("u", "admin", Map.of(), new Scope(Set.of(CUSTOMERS), Map.of()));
    assertEquals(Access.OUT_OF_SCOPE, explain(policy, scoped, ROW).access());
    assertFalse(explain(policy, scoped, ROW).visible());
  }

  @Test
  void inheritedRulesAreToldAfterTheOwn() {
    Policy policy =
        new Configurations()
            .typed()
            .inherits("support", "analyst")
            .rule("analyst", "region = :region")
            .rule("support", "amount > 100")
            .policy();
    Explanation explanation = explain(policy, somebody("support"), ROW);
    assertTrue(explanation.visible());
    assertEquals(
        List.of("support false FALSE", "analyst true TRUE"),
        explanation.rules().stream()
            .map(rule -> rule.role() + " " + rule.inherited() + " " + rule.judged().outcome())
            .toList());
    assertEquals(Map.of("region", "east"), explanation.rules().get(1).claims());
    assertEquals(List.of("region"), explanation.rules().get(1).columns());
  }

  @Test
  void columnsAreToldWithTheirFates() {
    Policy policy =
        new Configurations()
            .visibleTo("amount", "analyst")
            .mask("region", Configurations.mask(MaskType.HASH, null, null))
            .policy();
    Identity fields =
        new Identity(
            "u", "support", Map.of(), new Scope(null, Map.of(ORDERS, Set.of("region", "amount"))));
    assertEquals(
        "[region MASKED hash, amount HIDDEN null, id NOT_GRANTED null]",
        explain(policy, fields, json("{\"region\":\"east\",\"amount\":5,\"id\":1}"))
            .columns()
            .stream()
            .map(column -> column.name() + " " + column.fate() + " " + column.mask())
            .toList()
            .toString());
  }

  @Test
  void whatIsExplainedIsWhatIsSeen() {
    Random random = new Random(7);
    String[] parts = {
      "region = :region", "amount > 3", "region IS NULL", "amount = 1 / amount", "owner = :missing"
    };
    String[] regions = {"null", "\"east\"", "\"west\""};
    for (int i = 0; i < 2_000; i++) {
      String filter =
          (random.nextBoolean() ? "" : "NOT ")
              + parts[random.nextInt(parts.length)]
              + (random.nextBoolean() ? " AND " : " OR ")
              + (random.nextBoolean() ? "NOT " : "")
              + parts[random.nextInt(parts.length)];
      Policy policy = new Configurations().typed().rule("analyst", filter).policy();
      JsonObject row =
          json(
              "{\"region\":%s,\"amount\":%s,\"owner\":\"u\"}"
                  .formatted(
                      regions[random.nextInt(regions.length)],
                      random.nextInt(5) == 0 ? "null" : Integer.toString(random.nextInt(6))));
      assertEquals(
          policy.view(somebody("analyst")).access(ORDERS).orElseThrow().rows().test(row),
          explain(policy, somebody("analyst"), row).visible(),
          filter);
    }
  }

  @Test
  void aNewRuleOverWhatTheAskerDoesNotSeeIsRefused() {
    Configurations hidden = new Configurations().typed("region", "text").typed("amount", "numeric");
    ConfiguredPolicy now =
        new Configurations()
            .visibleTo("amount", "analyst")
            .mask("owner", Configurations.mask(MaskType.NULL, null, null))
            .rule("analyst", "amount > 5")
            .policy();
    Identity asker = somebody("admin");

    ConfiguredPolicy fine = new Configurations().rule("analyst", "region = 'x'").policy();
    assertDoesNotThrow(() -> fine.requireNothingBeyond(now, asker));
    ConfiguredPolicy former = new Configurations().rule("support", "amount > 5").policy();
    assertDoesNotThrow(() -> former.requireNothingBeyond(now, asker), "it holds already");

    ConfiguredPolicy probing = hidden.rule("analyst", "region = 'x' AND amount > 6").policy();
    InvalidRuleException refused =
        assertThrows(InvalidRuleException.class, () -> probing.requireNothingBeyond(now, asker));
    assertEquals(
        "rule of table 'orders' for role 'analyst', at character 1: amount (expected: only what"
            + " the one who asks sees whole)",
        refused.getMessage());
    ConfiguredPolicy masked = new Configurations().rule("support", "owner = 'x'").policy();
    Identity support = somebody("support");
    assertThrows(InvalidRuleException.class, () -> masked.requireNothingBeyond(now, support));
    ConfiguredPolicy looking =
        new Configurations()
            .typed("id", "text")
            .rule("admin", "EXISTS (SELECT 1 FROM orders o WHERE o.id = orders.id)")
            .policy();
    assertThrows(
        InvalidRuleException.class,
        () -> looking.requireNothingBeyond(now, somebody("analyst")),
        "whoever sees some rows only may not look others up");
  }

  @Test
  void aLookerOnIsShownNoMoreThanBothSee() {
    Mask hash =
        new Configurations()
            .mask("region", Configurations.mask(MaskType.HASH, null, null))
            .policy()
            .view(somebody("support"))
            .access(ORDERS)
            .orElseThrow()
            .columns()
            .masks()
            .get("region");
    ColumnRules reader =
        new ColumnRules(Set.of("id", "region", "name"), Set.of("name"), Map.of(), true);
    ColumnRules asker = new ColumnRules(null, Set.of("note"), Map.of("region", hash), false);
    ColumnRules shown = reader.limitedTo(asker);
    assertTrue(shown.shows("id"));
    for (String column : List.of("region", "name", "note", "other")) {
      assertFalse(shown.shows(column), column);
    }
    assertFalse(shown.actor());
    assertTrue(asker.limitedTo(asker).shows("region"), "masked the same way");
  }
}
