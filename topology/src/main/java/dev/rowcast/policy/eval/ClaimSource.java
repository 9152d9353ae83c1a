package dev.rowcast.policy.eval;

import org.jspecify.annotations.Nullable;

/** The claims of one caller. */
public interface ClaimSource {

  /**
   * The claim that a path names: one of that very name, else by its parts through maps. Strings,
   * {@link Long}s, {@link java.math.BigDecimal}s, {@link Boolean}s, lists and maps of these; null
   * where there is none.
   */
  @Nullable Object claim(String path);
}
