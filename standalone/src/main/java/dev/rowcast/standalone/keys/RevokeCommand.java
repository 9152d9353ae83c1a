package dev.rowcast.standalone.keys;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rowcast keys revoke}. */
@Command(
    name = "revoke",
    description = "Revokes a key: its streams end within a heartbeat, on every node.",
    mixinStandardHelpOptions = true)
final class RevokeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private NodeOptions node;

  @Parameters(paramLabel = "ID", description = "the key's id, as list has it; not its secret")
  private String id;

  @Override
  public Integer call() throws InterruptedException {
    KeysClient client = node.client();
    try {
      client.revoke(id);
      spec.commandLine().getOut().println("revoked");
      spec.commandLine().getOut().flush();
      return 0;
    } catch (KeysClient.FailedException e) {
      spec.commandLine().getErr().println("rowcast keys revoke: " + e.getMessage());
      return 1;
    }
  }
}
