package dev.rowcast.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {

  @ParameterizedTest
  @EnumSource(ProblemType.class)
  void typesAreStableNamesWithAnErrorStatus(ProblemType type) {
    assertTrue(type.type().matches("[a-z]+(-[a-z]+)*"), type.type());
    assertTrue(type.status() >= 400 && type.status() < 600);
    assertTrue(!type.title().isBlank());
  }

  @Test
  void noTypeStandsForTwoKinds() {
    Set<String> seen = new HashSet<>();
    for (ProblemType type : ProblemType.values()) {
      assertTrue(seen.add(type.type()), type.type());
    }
  }

  @Test
  void parametersAreNamedWithWhatWasExpected() {
    Problem problem = Problem.parameter("limit", "a\nb", "1..1000");
    assertEquals("limit: 'a\uFFFDb' (expected: 1..1000)", problem.detail());
    assertEquals(Map.of("parameter", "limit"), problem.members());
    ProblemException thrown =
        assertThrows(
            ProblemException.class,
            () -> {
              throw problem.asException();
            });
    assertEquals(problem, thrown.problem());
    assertEquals("invalid-parameter: limit: 'a\uFFFDb' (expected: 1..1000)", thrown.getMessage());
  }

  @Test
  void excerptsAreShortWholeCharacters() {
    assertEquals("", Excerpt.of("", 3));
    assertEquals("abc", Excerpt.of("abc", 3));
    assertEquals("abc…", Excerpt.of("abcd", 3));
    assertEquals("ab…", Excerpt.of("ab😀", 3));
    assertEquals("a😀", Excerpt.of("a😀", 3));
    assertEquals("\uFFFDx\uFFFD", Excerpt.of("\ud800x\udc00", 3));
  }
}
