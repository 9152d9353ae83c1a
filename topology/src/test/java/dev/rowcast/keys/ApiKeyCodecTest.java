package dev.rowcast.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyCodecTest {
  private static final Instant CREATED = Instant.parse("2026-11-30T20:12:31.123Z");
  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final String VALID =
      "{'id':'k_1','name':'n','hash':'HASH','role':'r','subject':'s','claims':{},'tables':null,"
          + "'fields':[],'created':'2026-11-30T20:12:31.123Z','expires':null}";

  @Test
  void everythingAKeySaysComesBack() {
    Identity identity =
        new Identity(
            "u-7",
            "analyst",
            Map.of(
                "tenant",
                "t\"1",
                "level",
                3L,
                "limit",
                new BigDecimal("1.50"),
                "big",
                new BigDecimal("123456789012345678901234567890"),
                "staff",
                true,
                "depts",
                List.of("a", 2L, List.of(false))),
            new Scope(Set.of(ORDERS), Map.of(ORDERS, Set.of("id", "status"))));
    StoredKey stored =
        new StoredKey(new ApiKey("k_1", "näme", identity, CREATED, CREATED.plusSeconds(60)), HASH);

    assertEquals(stored, ApiKeyCodec.decode("k_1", ApiKeyCodec.encode(stored)));
  }

  @Test
  void noLimitAndAnEmptyLimitStayApart() {
    for (Scope scope : List.of(Scope.ALL, new Scope(Set.of(), Map.of(ORDERS, Set.of())))) {
      StoredKey stored =
          new StoredKey(
              new ApiKey("k_1", "n", new Identity("s", "r", Map.of(), scope), CREATED, null), HASH);
      assertEquals(stored, ApiKeyCodec.decode("k_1", ApiKeyCodec.encode(stored)));
    }
  }

  @Test
  void theFormThatTheRefusalsStartFromIsRead() {
    assertEquals("n", decode(VALID).key().name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{}", "{", "42", "{} {}"})
  void whatIsNoKeyIsRefused(String json) {
    assertThrows(IllegalArgumentException.class, () -> decode(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'tables':null, | ''",
        "'expires':null} | 'expires':null,'ips':[]}",
        "'id':'k_1' | 'id':'k_2'",
        "'hash':'HASH' | 'hash':'HA'",
        "'hash':'HASH' | 'hash':null",
        "'role':'r' | 'role':null",
        "'role':'r' | 'role':1",
        "'role':'r' | 'role':'r','role':'admin'",
        "'claims':{} | 'claims':null",
        "'claims':{} | 'claims':{'a':null}",
        "'claims':{} | 'claims':{'a':{}}",
        "'tables':null | 'tables':'public.orders'",
        "'tables':null | 'tables':[null]",
        "'tables':null | 'tables':[{'schema':'public','table':''}]",
        "'fields':[] | 'fields':null",
        "'fields':[] | 'fields':[{'schema':'public','table':'orders'}]",
        "'fields':[] | 'fields':[{'schema':'public','table':'orders','columns':[1]}]",
        "'created':'2026-11-30T20:12:31.123Z' | 'created':'yesterday'",
        "'expires':null | 'expires':0",
        "'expires':null} | 'expires':null} x",
      })
  void whatAnEarlierOrLaterOrMistakenWriterLeftIsRefused(String part, String instead) {
    String json = VALID.replace(part.strip(), instead.equals("''") ? "" : instead.strip());
    assertThrows(IllegalArgumentException.class, () -> decode(json), json);
  }

  @Test
  void aClaimThatHasNoFormIsRefusedWhenWritten() {
    Identity identity = new Identity("s", "r", Map.of("a", 1.5), Scope.ALL);
    StoredKey stored = new StoredKey(new ApiKey("k_1", "n", identity, CREATED, null), HASH);
    assertThrows(IllegalArgumentException.class, () -> ApiKeyCodec.encode(stored));
  }

  private static StoredKey decode(String json) {
    return ApiKeyCodec.decode("k_1", json.replace('\'', '"').replace("HASH", HASH).getBytes(UTF_8));
  }
}
