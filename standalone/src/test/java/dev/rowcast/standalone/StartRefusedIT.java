package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A configuration that can't be run is refused whole, by name. */
class StartRefusedIT {

  @Test
  void everyTableThatCannotBeCapturedIsNamed() {
    ProblemException refused =
        assertThrows(
            ProblemException.class,
            () ->
                NodeFixture.start(
                    List.of(
                        "CREATE TABLE keyless (a int)", "CREATE TABLE good (id int PRIMARY KEY)"),
                    """
                tables:
                  - {id: good, source_id: "${env:SOURCE}"}
                  - {id: keyless, source_id: "${env:SOURCE}"}
                  - {id: nowhere, source_id: "${env:SOURCE}"}
                """,
                    Map.of()));
    String detail = refused.problem().detail();
    assertTrue(detail.contains("public.keyless"), detail);
    assertTrue(detail.contains("public.nowhere"), detail);
  }
}
