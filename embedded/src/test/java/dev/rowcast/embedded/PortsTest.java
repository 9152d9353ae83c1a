package dev.rowcast.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void takenPortIsRefusedByNumberAndServer() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EmbeddedStartException refused =
          assertThrows(
              EmbeddedStartException.class,
              () -> Ports.resolve(taken.getLocalPort(), "the Kafka broker"));
      assertTrue(
          refused
              .getMessage()
              .startsWith("port " + taken.getLocalPort() + " for the Kafka broker can't be had"),
          refused.getMessage());
    }
  }

  @Test
  void zeroIsAFreePort() {
    int port = Ports.resolve(0, "a test");
    assertEquals(port, Ports.resolve(port, "a test"));
  }

  @Test
  void whatIsNoPortIsRefused() {
    assertThrows(EmbeddedStartException.class, () -> Ports.resolve(70_000, "a test"));
    assertThrows(EmbeddedStartException.class, () -> Ports.resolve(-1, "a test"));
  }
}
