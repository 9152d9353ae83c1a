package dev.rowcast.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimsTest {
  @Test
  void aRoleAndItsClaimsMakeAnIdentity() {
    assertEquals(new Identity("", "analyst", Map.of(), Scope.ALL), Claims.identity("analyst"));
    assertEquals(
        new Identity(
            "u:{7",
            "team:a",
            Map.of(
                "sub",
                "u:{7",
                "level",
                3L,
                "rate",
                new BigDecimal("1.50"),
                "on",
                true,
                "teams",
                List.of("a", 2L),
                "app",
                Map.of("x", "y")),
            Scope.ALL),
        Claims.identity(
            "team:a:{\"sub\":\"u:{7\",\"level\":3,\"rate\":1.50,\"on\":true,"
                + "\"teams\":[\"a\",2],\"app\":{\"x\":\"y\"},\"none\":null}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ":{}", "r:{", "r:{\"a\":1,\"a\":2}", "r:{} {}", "r:{'hush':1}"})
  void anythingElseIsRefusedWithoutRepeatingIt(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Claims.identity(text));
    assertFalse(String.valueOf(refused.getMessage()).contains("hush"));
  }
}
