package dev.rowcast.standalone.demo;

import dev.rowcast.edge.CannotListenException;
import dev.rowcast.embedded.EmbeddedStartException;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.standalone.Foreground;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rowcast demo}. */
@Command(
    name = "demo",
    description =
        "Runs everything embedded, on the rows of a small shop that change by themselves.",
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "where HTTP is served, on 127.0.0.1; 0 for any free port (default: 8080)")
  private int port;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = ".rowcast/demo",
      description =
          "where everything is kept; the same DIR starts again where it was (default: .rowcast/demo)")
  private Path dataDir;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2",
      description = "how many rows change a second; 0 for none (default: 2)")
  private double rate;

  @Option(
      names = "--database-only",
      description = "runs only the demo's PostgreSQL, to change rows while Rowcast is away")
  private boolean databaseOnly;

  @Override
  public Integer call() throws SQLException, ExecutionException, InterruptedException {
    if (port < 0 || port > 65535) {
      throw new ParameterException(spec.commandLine(), "--port: " + port + " (expected: 0..65535)");
    }
    if (!(rate >= 0 && rate <= 10_000)) {
      throw new ParameterException(spec.commandLine(), "--rate: " + rate + " (expected: 0..10000)");
    }
    Foreground foreground = new Foreground();
    try {
      Demo demo =
          databaseOnly
              ? Demo.startDatabaseOnly(dataDir, foreground::fail)
              : Demo.start(dataDir, port, rate, foreground::fail);
      return foreground.run(demo, () -> greet(demo));
    } catch (CannotListenException e) {
      spec.commandLine()
          .getErr()
          .println(
              "rowcast demo: --port: "
                  + e.getMessage()
                  + " (expected: a free port; choose another with --port, or --port 0 for any)");
      return 1;
    } catch (ProblemException e) {
      spec.commandLine().getErr().println("rowcast demo: " + e.problem().detail());
      return 1;
    } catch (EmbeddedStartException e) {
      spec.commandLine().getErr().println("rowcast demo: " + e.getMessage());
      return 1;
    }
  }

  private void greet(Demo demo) {
    PrintWriter out = spec.commandLine().getOut();
    if (databaseOnly) {
      out.println("\nOnly the database runs. Change rows with\n");
      out.println("  psql '" + demo.psqlUrl() + "'\n");
      out.println("Ctrl-C stops it.");
    } else {
      String url = demo.url();
      String admin = demo.keySecret("admin");
      out.printf("%nRowcast is ready after %.1f s: %s%n%n", secondsSinceStart(), url);
      out.println("Watch every row change as it happens:\n");
      out.printf("  curl -N -H 'Authorization: Bearer %s' '%s/events/stream'%n%n", admin, url);
      out.println("As somebody who sees the orders of one region only:\n");
      out.printf(
          "  curl -N -H 'Authorization: Bearer %s' '%s/events/stream?tables=orders'%n%n",
          demo.keySecret("emea"), url);
      out.println("The same from the beginning, then live; or page by page:\n");
      out.printf(
          "  curl -N -H 'Authorization: Bearer %s' '%s/events/stream?since=earliest'%n",
          admin, url);
      out.printf(
          "  curl -H 'Authorization: Bearer %s' '%s/api/ddl/events/changes?limit=3'%n%n",
          admin, url);
      out.println("Change a row yourself:\n");
      out.printf(
          "  psql '%s' -c \"UPDATE orders SET note = 'hello' WHERE id = 1\"%n%n", demo.psqlUrl());
      out.printf(
          "Keys and addresses are in %s. Ctrl-C stops everything.%n",
          dataDir.resolve(Demo.DESCRIPTION));
    }
    out.flush();
  }

  private static double secondsSinceStart() {
    return ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0;
  }
}
