package dev.rowcast.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

/** Holds {@code docs/architecture.md} against the code. */
@AnalyzeClasses(packages = "dev.rowcast", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] SCHEMAS = {
    "dev.rowcast.event..", "dev.rowcast.cursor..", "dev.rowcast.config..",
    "dev.rowcast.problem..", "dev.rowcast.source..", "dev.rowcast.topic.."
  };
  private static final String[] TOPOLOGY = {
    "dev.rowcast.policy..", "dev.rowcast.fanout..", "dev.rowcast.frame..", "dev.rowcast.log..",
    "dev.rowcast.keys..", "dev.rowcast.catalog..", "dev.rowcast.rows..", "dev.rowcast.normalise..",
    "dev.rowcast.compacted.."
  };
  private static final String CONNECTORS = "dev.rowcast.connectors..";
  private static final String EDGE = "dev.rowcast.edge..";
  private static final String STANDALONE = "dev.rowcast.standalone..";
  private static final String EMBEDDED = "dev.rowcast.embedded..";
  private static final String KAFKA = "org.apache.kafka..";
  private static final String[] HTTP = {"io.javalin..", "org.eclipse.jetty..", "jakarta.servlet.."};

  @ArchTest
  static final ArchRule schemasKnowNobody =
      noClasses()
          .that()
          .resideInAnyPackage(SCHEMAS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(join(TOPOLOGY, CONNECTORS, EDGE, STANDALONE, EMBEDDED, KAFKA));

  @ArchTest
  static final ArchRule topologyKnowsOnlySchemas =
      noClasses()
          .that()
          .resideInAnyPackage(TOPOLOGY)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CONNECTORS, EDGE, STANDALONE, EMBEDDED);

  @ArchTest
  static final ArchRule connectorsKnowOnlySchemas =
      noClasses()
          .that()
          .resideInAPackage(CONNECTORS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(join(TOPOLOGY, EDGE, STANDALONE, EMBEDDED));

  @ArchTest
  static final ArchRule theEdgeKnowsNeitherKafkaNorSqlNorConnectors =
      noClasses()
          .that()
          .resideInAPackage(EDGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CONNECTORS, STANDALONE, EMBEDDED, KAFKA, "java.sql..");

  @ArchTest
  static final ArchRule onlyTheEdgeServesHttp =
      noClasses()
          .that()
          .resideOutsideOfPackage(EDGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(HTTP);

  @ArchTest
  static final ArchRule policyAndFramesKnowNeitherKafkaNorHttp =
      noClasses()
          .that()
          .resideInAnyPackage("dev.rowcast.policy..", "dev.rowcast.frame..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(join(HTTP, KAFKA));

  @ArchTest
  static final ArchRule embeddedServersKnowNobody =
      noClasses()
          .that()
          .resideInAPackage(EMBEDDED)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(join(join(SCHEMAS, TOPOLOGY), CONNECTORS, EDGE, STANDALONE));

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.rowcast.(*)..").should().beFreeOfCycles();

  private static String[] join(String[] some, String... others) {
    String[] all = Arrays.copyOf(some, some.length + others.length);
    System.arraycopy(others, 0, all, some.length, others.length);
    return all;
  }
}
