package dev.rowcast.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses which known name a misspelled one was meant to be. Stateless. */
final class Spelling {
  private Spelling() {}

  /** What was expected instead of {@code name}: the likely name where there is one, else all. */
  static String expected(String name, Collection<String> known) {
    if (known.isEmpty()) {
      return "none is defined";
    }
    String all = (known.size() == 1 ? "" : "one of ") + String.join(", ", known);
    return closest(name, known).map(guess -> "did you mean " + guess + "? " + all).orElse(all);
  }

  static Optional<String> closest(String name, Collection<String> known) {
    String wanted = plain(name);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      String plain = plain(candidate);
      int distance = distance(wanted, plain);
      // a third of the letters may differ: source → source_id is still a guess, host → port isn't
      if (distance < bestDistance && distance <= Math.max(wanted.length(), plain.length()) / 3) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  private static String plain(String name) {
    String short64 = name.substring(0, Math.min(name.length(), 64));
    return short64.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
