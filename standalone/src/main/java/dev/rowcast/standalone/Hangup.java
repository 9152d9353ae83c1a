package dev.rowcast.standalone;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, by which operators have a server read its configuration again. {@code sun.misc.Signal} is
 * the only way to it, is no part of Java's interface, and warns whoever compiles against it: hence
 * by reflection. Stateless.
 */
final class Hangup {
  private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

  private Hangup() {}

  /** Has SIGHUP run {@code action}, on a thread of the JVM's, instead of ending the process. */
  static void runs(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Hangup.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  action.run();
                  return null;
                }
                return switch (method.getName()) {
                  case "equals" -> self == arguments[0];
                  case "hashCode" -> System.identityHashCode(self);
                  default -> "SIGHUP";
                };
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.info(
          "SIGHUP can't be had here; a changed file is noticed all the same: {}", e.toString());
    }
  }
}
