package gatebook.api.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code gatebook keys}: replaces the keys of a node. */
@Command(
    name = "keys",
    description = "Replaces the keys of a node.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = RotateKeyCommand.class,
    footer = {"", "Example: gatebook keys rotate checkpoint --data ./gatebook-data"})
public final class KeysCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing required subcommand: rotate");
  }
}
