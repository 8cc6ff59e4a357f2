package gatebook.api.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code gatebook token}: changes the token of a node's own operator. */
@Command(
    name = "token",
    description = "Changes the token of a node's own operator.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = RotateCommand.class,
    footer = {"", "Example: gatebook token rotate --data ./gatebook-data"})
public final class TokenCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing required subcommand: rotate");
  }
}
