package dev.rowcast.standalone.demo;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Who visits the demo: the keys of the contract's "The demo", by name. */
final class DemoKeys {
  private static final TableId ORDERS = new TableId("public", "orders");

  private DemoKeys() {}

  static Map<String, Identity> identities() {
    Map<String, Identity> keys = new LinkedHashMap<>();
    keys.put("admin", identity("admin", "admin", Map.of(), Scope.ALL));
    keys.put("emea", identity("emea", "analyst", Map.of("region", "emea"), Scope.ALL));
    keys.put("apac", identity("apac", "analyst", Map.of("region", "apac"), Scope.ALL));
    keys.put("masked", identity("masked", "support", Map.of(), Scope.ALL));
    keys.put(
        "fields",
        identity(
            "fields",
            "viewer",
            Map.of(),
            new Scope(Set.of(ORDERS), Map.of(ORDERS, Set.of("id", "status")))));
    keys.put(
        "orders-only",
        identity("orders-only", "viewer", Map.of(), new Scope(Set.of(ORDERS), Map.of())));
    keys.put("ada", identity("ada", "member", Map.of(), Scope.ALL));
    keys.put("bob", identity("bob", "member", Map.of(), Scope.ALL));
    return keys;
  }

  private static Identity identity(
      String subject, String role, Map<String, Object> claims, Scope scope) {
    return new Identity(subject, role, claims, scope);
  }
}
