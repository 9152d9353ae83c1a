package dev.rowcast.standalone.keys;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rowcast keys}: names what can be done with keys. */
@Command(
    name = "keys",
    description = "Makes, lists and revokes API keys of a running node.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {CreateCommand.class, ListCommand.class, RevokeCommand.class})
public final class KeysCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command (expected: create, list or revoke)");
  }
}
