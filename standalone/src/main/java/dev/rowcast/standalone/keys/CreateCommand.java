package dev.rowcast.standalone.keys;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rowcast keys create}. */
@Command(
    name = "create",
    description = "Makes a key and prints its secret, which is shown this once.",
    mixinStandardHelpOptions = true)
final class CreateCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions node;

  @Option(names = "--name", required = true, description = "what people call it")
  private String name;

  @Option(names = "--role", required = true, description = "a role of the configuration")
  private String role;

  @Option(names = "--subject", description = "whom it speaks for (default: its name)")
  private @Nullable String subject;

  @Option(
      names = "--claim",
      paramLabel = "NAME=TEXT|NAME:=JSON",
      description = "a claim for rules: a text, or after := any JSON, such as depts:=[1,2]")
  private List<String> claims = new ArrayList<>();

  @Option(names = "--table", paramLabel = "TABLE", description = "narrows it to tables")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--fields",
      paramLabel = "TABLE=COLUMN,…",
      description = "the only columns of a table that it may read")
  private List<String> fields = new ArrayList<>();

  @Option(
      names = "--expires",
      paramLabel = "UTC",
      description = "from when on it is refused, such as 2027-01-01T00:00:00Z (default: never)")
  private @Nullable String expires;

  @Option(names = "--json", description = "print the whole key as JSON")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode key = key();
    KeysClient client = node.client();
    try {
      JsonNode created = client.create(key);
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(created.toPrettyString());
      } else {
        out.println("id:     " + created.path("id").asText());
        out.println("secret: " + created.path("secret").asText());
      }
      out.flush();
      return 0;
    } catch (KeysClient.FailedException e) {
      spec.commandLine().getErr().println("rowcast keys create: " + e.getMessage());
      return 1;
    }
  }

  private ObjectNode key() {
    ObjectNode key = JSON.createObjectNode().put("name", name).put("role", role);
    if (subject != null) {
      key.put("subject", subject);
    }
    ObjectNode named = key.putObject("claims");
    claims.forEach(claim -> addClaim(named, claim));
    if (!tables.isEmpty()) {
      tables.forEach(key.putArray("tables")::add);
    }
    ObjectNode byTable = key.putObject("fields");
    fields.forEach(table -> addFields(byTable, table));
    if (expires != null) {
      key.put("expiresUtc", expires);
    }
    return key;
  }

  private void addClaim(ObjectNode named, String claim) {
    int at = claim.indexOf('=');
    boolean asJson = at > 1 && claim.charAt(at - 1) == ':';
    String name = at < 1 ? "" : claim.substring(0, asJson ? at - 1 : at);
    if (name.isEmpty() || named.has(name)) {
      throw faulty("--claim", claim, "NAME=TEXT or NAME:=JSON, each name once");
    }
    String value = claim.substring(at + 1);
    try {
      named.set(name, asJson ? JSON.readTree(value) : JSON.getNodeFactory().textNode(value));
    } catch (IOException e) {
      throw faulty("--claim", claim, "JSON after :=");
    }
  }

  private void addFields(ObjectNode byTable, String table) {
    int at = table.indexOf('=');
    if (at < 1 || at == table.length() - 1 || byTable.has(table.substring(0, at))) {
      throw faulty("--fields", table, "TABLE=COLUMN,COLUMN, each table once");
    }
    ArrayNode columns = byTable.putArray(table.substring(0, at));
    for (String column : table.substring(at + 1).split(",", -1)) {
      columns.add(column);
    }
  }

  private CommandLine.ParameterException faulty(String option, String value, String expected) {
    return new CommandLine.ParameterException(
        spec.commandLine(), option + ": " + value + " (expected: " + expected + ")");
  }
}
