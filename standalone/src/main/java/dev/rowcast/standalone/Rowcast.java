package dev.rowcast.standalone;

import dev.rowcast.standalone.demo.DemoCommand;
import dev.rowcast.standalone.keys.KeysCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code rowcast} command. */
@Command(
    name = "rowcast",
    description = "Every row change, to exactly those who may see it.",
    mixinStandardHelpOptions = true,
    version = "rowcast 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ServeCommand.class,
      ValidateCommand.class,
      KeysCommand.class,
      PolicyCommand.class
    })
public final class Rowcast implements Runnable {
  /** The exit code of a command line that isn't understood, and of a faulty configuration. */
  static final int USAGE = CommandLine.ExitCode.USAGE;

  @Spec private CommandSpec spec;

  Rowcast() {}

  /** Runs the command and exits with its code: 0 done, 1 failed, 2 not understood. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Rowcast()).execute(args));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command (expected: demo, serve, validate, keys or policy)");
  }
}
