package dev.rowcast.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.frame.Frames;
import dev.rowcast.policy.Claims;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.explain.Explanation;
import dev.rowcast.policy.explain.Judged;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rowcast policy test}: what somebody would get of an event, and why. Asks nobody. */
@Command(
    name = "test",
    description = {
      "Says what somebody would get of an event, and why.",
      "Runs without servers: rules need the data_type of their columns, and look-ups of rows in"
          + " other tables hide the row."
    },
    mixinStandardHelpOptions = true)
final class PolicyTestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "rowcast.yaml",
      description = "the configuration (default: rowcast.yaml)")
  private Path file;

  @Option(
      names = "--as",
      paramLabel = "ROLE[:CLAIMS]",
      required = true,
      description = "who, such as analyst or analyst:{\"sub\":\"u-7\",\"region\":\"emea\"}")
  private String as;

  @Option(
      names = "--event",
      paramLabel = "FILE",
      required = true,
      description = "an event in JSON, as polling answers it")
  private Path event;

  @Option(
      names = "--expect",
      paramLabel = "visible|hidden",
      description = "fail (1) where it comes to the other")
  private @Nullable Expected expected;

  /** What somebody may reckon with. */
  enum Expected {
    VISIBLE,
    HIDDEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Optional<Configuration> configuration = ConfigurationFile.read(file, err);
    if (configuration.isEmpty()) {
      return Rowcast.USAGE;
    }
    Identity reader = reader(configuration.get());
    Expected came = judge(Policies.offline(configuration.get()), reader, event());
    spec.commandLine().getOut().flush();
    if (expected != null && expected != came) {
      err.println("rowcast policy test: " + came + " (expected: " + expected + ")");
      return 1;
    }
    return 0;
  }

  private Identity reader(Configuration configuration) {
    TreeSet<String> roles = new TreeSet<>();
    configuration.roles().forEach(role -> roles.add(role.id()));
    roles.add(RoleConfig.ADMIN);
    Identity reader;
    try {
      reader = Claims.identity(as);
    } catch (IllegalArgumentException e) {
      throw faulty("--as: " + e.getMessage() + " (expected: ROLE or ROLE:{…})", e);
    }
    if (!roles.contains(reader.role())) {
      throw faulty(
          "--as: " + reader.role() + " (expected: " + String.join(", ", roles) + ")", null);
    }
    return reader;
  }

  private EventRecord event() {
    try {
      return EventFile.read(event);
    } catch (IOException e) {
      throw faulty("--event: " + event + " can't be read: " + e, e);
    } catch (MalformedRowException | IllegalArgumentException e) {
      throw faulty("--event: " + event + ": " + e.getMessage(), e);
    }
  }

  private CommandLine.ParameterException faulty(String message, @Nullable Exception cause) {
    return new CommandLine.ParameterException(spec.commandLine(), message, cause);
  }

  private Expected judge(Policy policy, Identity reader, EventRecord read) {
    Optional<TableAccess> access =
        policy
            .view(reader)
            .access(read.table())
            .filter(to -> read.data() == null || to.rows().test(read.data()));
    Explanation why = policy.explain(reader, read.table(), read.rowKey(), read.data());
    PrintWriter out = spec.commandLine().getOut();
    Expected came = access.isPresent() ? Expected.VISIBLE : Expected.HIDDEN;
    out.println(came + ": " + why.reason(read.data() == null));
    access.ifPresent(
        to ->
            out.println(
                new String(
                    Frames.json(new EventRenderer(to.columns(), List.of(), false), read, false),
                    UTF_8)));
    why.rules().forEach(rule -> print(rule, out));
    why.columns().stream()
        .filter(column -> column.fate() != Explanation.Fate.SHOWN)
        .forEach(column -> out.printf("column %s: %s%n", column.name(), column.fate().wire()));
    return came;
  }

  private static void print(Explanation.Rule rule, PrintWriter out) {
    out.printf("rule of %s%s%n", rule.role(), rule.inherited() ? ", inherited" : "");
    print(rule.judged(), "  ", out);
    if (!rule.columns().isEmpty()) {
      out.println("  columns: " + String.join(", ", rule.columns()));
    }
    if (!rule.claims().isEmpty()) {
      out.println("  claims: " + new TreeMap<>(rule.claims()));
    }
  }

  private static void print(Judged judged, String indent, PrintWriter out) {
    String problem = judged.problem() == null ? "" : " (" + judged.problem() + ")";
    out.println(indent + judged.outcome().wire() + problem + ": " + judged.sql());
    judged.parts().forEach(part -> print(part, indent + "  ", out));
  }
}
