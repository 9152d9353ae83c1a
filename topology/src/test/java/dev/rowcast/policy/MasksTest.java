package dev.rowcast.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rowcast.config.TableConfig.MaskType;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MasksTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          REGEX    | (.).*@        | $1***@ | "ann@example.org"              | "a***@example.org"
          REGEX    | (.).*@        | \\1*@  | "ann@example.org"              | "a*@example.org"
          REGEX    | [0-9]         | #      | 42                             | null
          REGEX    | (a*)*b        | x      | "aaaaaaaaaaaa"                 | "aaaaaaaaaaaa"
          REGEX    | n             |        | "a\\nb"                        | "a\\nb"
          CONSTANT | "***"         |        | "ann"                          | "***"
          CONSTANT | {"a" : 1.50}  |        | null                           | {"a":1.50}
          NULL     |               |        | "ann"                          | null
          TRUNCATE | 2             |        | "ann"                          | "an"
          TRUNCATE | 9             |        | "ann"                          | "ann"
          TRUNCATE | 1             |        | "😀😀"                          | "😀"
          TRUNCATE | 2             |        | 1234                           | null
          TRUNCATE | year          |        | "2026-11-30"                   | "2026-01-01"
          TRUNCATE | month         |        | "2026-11-30T20:12:31.123456Z"  | "2026-11-01T00:00:00Z"
          TRUNCATE | day           |        | "2026-11-30T20:12:31"          | "2026-11-30T00:00:00"
          TRUNCATE | hour          |        | "2026-11-30T20:12:31.5Z"       | "2026-11-30T20:00:00Z"
          TRUNCATE | hour          |        | "2026-11-30"                   | "2026-11-30"
          TRUNCATE | hour          |        | "infinity"                     | null
          TRUNCATE | hour          |        | null                           | null
          HASH     |               |        | null                           | null
          """)
  void aMaskShowsNothingElse(
      MaskType type, @Nullable String a, @Nullable String b, String value, String shown) {
    assertEquals(shown, masked(mask(type, a, b), value));
  }

  @Test
  void aHashIsStableForEqualValuesAndKeyed() {
    String ann = masked(mask(MaskType.HASH, null, null), "\"ann\"");
    assertEquals(66, ann.length());
    assertEquals(ann, masked(mask(MaskType.HASH, null, null), "\"ann\""));
    assertNotEquals(ann, masked(mask(MaskType.HASH, null, null), "\"bob\""));
  }

  @Test
  void masksAreEqualWhereTheyShowTheSame() {
    assertEquals(mask(MaskType.REGEX, "a", "b"), mask(MaskType.REGEX, "a", "b"));
    assertEquals(mask(MaskType.HASH, null, null), mask(MaskType.HASH, null, null));
    assertNotEquals(mask(MaskType.REGEX, "a", "b"), mask(MaskType.REGEX, "a", "c"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          REGEX    | (    |
          REGEX    |      |
          REGEX    | a    | $1
          CONSTANT | {    |
          TRUNCATE | week |
          TRUNCATE |      |
          """)
  void aMaskThatCantBeUsedIsRefusedByTableAndColumn(
      MaskType type, @Nullable String a, @Nullable String b) {
    Configurations configuration =
        new Configurations().mask("email", Configurations.mask(type, a, b));
    InvalidRuleException refused = assertThrows(InvalidRuleException.class, configuration::policy);
    assertEquals("email", refused.subject());
  }

  private static Mask mask(MaskType type, @Nullable String a, @Nullable String b) {
    Policy policy = new Configurations().mask("c", Configurations.mask(type, a, b)).policy();
    View view = policy.view(new Identity("u", "analyst", Map.of(), Scope.ALL));
    return view.access(Configurations.ORDERS).orElseThrow().columns().masks().get("c");
  }

  private static String masked(Mask mask, String value) {
    JsonObject row = JsonObject.of(("{\"c\":" + value + "}").getBytes(StandardCharsets.UTF_8));
    JsonBytes out = new JsonBytes(64);
    mask.write(row, 0, out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
