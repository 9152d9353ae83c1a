package dev.rowcast.cursor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {

  @Test
  void wordsAndPositionsAreCursors() throws Exception {
    assertEquals(new Cursor.Earliest(), Cursor.parse("earliest"));
    assertEquals(new Cursor.Latest(), Cursor.parse("latest"));
    assertEquals(new Cursor.At(1043, null), Cursor.parse("1043"));
    assertEquals(new Cursor.At(0, null), Cursor.parse("0"));
    assertEquals(new Cursor.At(7, null), Cursor.parse("007"));
    assertEquals(new Cursor.At(1043, "k3f9x2"), Cursor.parse("1043.k3f9x2"));
    assertEquals(new Cursor.At(1, "a.b_c~d-E"), Cursor.parse("1.a.b_c~d-E"));
    assertEquals(new Cursor.At(Long.MAX_VALUE, null), Cursor.parse("9223372036854775807"));
    assertEquals(
        new Cursor.At(1, "e".repeat(Cursor.MAX_LENGTH - 2)),
        Cursor.parse("1." + "e".repeat(Cursor.MAX_LENGTH - 2)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "abc",
        "-1",
        "+1",
        "1.5 ",
        " 1",
        "1 ",
        "1\n",
        "1.",
        ".k",
        ".",
        "1.a b",
        "9223372036854775808",
        "99999999999999999999",
        "١٢٣",
        "１",
        "1e3",
        "0x1",
        "1,000",
        "null",
        "Earliest",
        "LATEST",
        "earliest.k",
        "latest ",
        "1.é",
        "1.a%20b",
        "1/2",
        "1;2",
        "1\u0000"
      })
  void everythingElseIsRefusedNeverTakenForLive(String text) {
    assertThrows(InvalidCursorException.class, () -> Cursor.parse(text));
  }

  @Test
  void longCursorsAreRefusedInALine() {
    String text = "1." + "e".repeat(Cursor.MAX_LENGTH - 1);
    InvalidCursorException e = assertThrows(InvalidCursorException.class, () -> Cursor.parse(text));
    assertTrue(e.getMessage().contains("…' (expected: a decimal event id"), e.getMessage());
    assertTrue(e.getMessage().length() < 200);
  }

  @Test
  void messagesAreFitToBeShown() {
    String text = "\r\nSet-Cookie: x\ud800" + "x".repeat(22) + "😀😀";
    InvalidCursorException e = assertThrows(InvalidCursorException.class, () -> Cursor.parse(text));
    assertFalse(e.getMessage().chars().anyMatch(Character::isISOControl), e.getMessage());
    assertTrue(UTF_8.newEncoder().canEncode(e.getMessage()));
  }

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String alphabet = "abcXYZ019._~-";
    for (int i = 0; i < 10_000; i++) {
      StringBuilder epoch = new StringBuilder();
      for (int n = random.nextInt(30); n > 0; n--) {
        epoch.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      Cursor.At cursor =
          new Cursor.At(
              random.nextLong() >>> (1 + random.nextInt(60)),
              epoch.isEmpty() ? null : epoch.toString());
      assertEquals(cursor, Cursor.parse(cursor.toString()), "seed " + seed);
    }
  }

  @Test
  void positionsAreNotNegative() {
    assertThrows(IllegalArgumentException.class, () -> new Cursor.At(-1, null));
  }
}
