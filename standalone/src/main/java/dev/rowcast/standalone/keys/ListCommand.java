package dev.rowcast.standalone.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rowcast keys list}. */
@Command(
    name = "list",
    description = "Lists the keys, without their secrets.",
    mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  private static final String ROW = "%-26s %-20s %-16s %-20s %-20s%n";

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions node;

  @Option(names = "--json", description = "print all that is known of them as JSON")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    KeysClient client = node.client();
    try {
      JsonNode keys = client.list();
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(keys.toPrettyString());
      } else {
        out.printf(ROW, "ID", "NAME", "ROLE", "EXPIRES", "LAST USED");
        for (JsonNode key : keys) {
          out.printf(
              ROW,
              plain(key, "id", ""),
              plain(key, "name", ""),
              plain(key, "role", ""),
              plain(key, "expiresUtc", "never"),
              plain(key, "lastUsedUtc", "never"));
        }
      }
      out.flush();
      return 0;
    } catch (KeysClient.FailedException e) {
      spec.commandLine().getErr().println("rowcast keys list: " + e.getMessage());
      return 1;
    }
  }

  /** Whoever named a key shall not write to our terminal what isn't a letter. */
  private static String plain(JsonNode key, String member, String absent) {
    return key.path(member).asText(absent).replaceAll("\\p{Cntrl}", "?");
  }
}
