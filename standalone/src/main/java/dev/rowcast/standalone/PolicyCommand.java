package dev.rowcast.standalone;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rowcast policy}: names what can be done with rules. */
@Command(
    name = "policy",
    description = "Tries rules out.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = PolicyTestCommand.class)
final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command (expected: test)");
  }
}
