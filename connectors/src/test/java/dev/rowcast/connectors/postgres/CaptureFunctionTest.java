package dev.rowcast.connectors.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CaptureFunctionTest {

  @Test
  void namesAreThoseThatUsersKnow() {
    assertEquals("tr_orders_dl_EventInsert", CaptureFunction.triggerName("orders", "Insert"));
    assertEquals("provisa_orders", CaptureFunction.channel("orders"));
    assertEquals("provisa_" + "x".repeat(55), CaptureFunction.channel("x".repeat(55)));
  }

  @Test
  void namesThatAreTooLongAreShortenedInBytesAndStayDifferent() {
    String longName = "é".repeat(30) + "a";
    String other = "é".repeat(30) + "b";
    for (String name :
        new String[] {
          CaptureFunction.channel(longName), CaptureFunction.triggerName(longName, "Truncate")
        }) {
      assertTrue(name.getBytes(UTF_8).length <= 63, name);
    }
    assertNotEquals(CaptureFunction.channel(longName), CaptureFunction.channel(other));
    assertTrue(CaptureFunction.triggerName(longName, "Update").endsWith("_dl_EventUpdate"));
  }
}
