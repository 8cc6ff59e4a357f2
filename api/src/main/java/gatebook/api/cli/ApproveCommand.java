package gatebook.api.cli;

import picocli.CommandLine.Command;

/** {@code gatebook approve}: a person says yes. */
@Command(
    name = "approve",
    description = "Lets a call go on that waits for a person.",
    footer = {
      "",
      DecideCommand.EXIT_CODES,
      "Example: gatebook approve 0199c0de-0000-7000-8000-000000000000 --reason \"reviewed\""
    })
public final class ApproveCommand extends DecideCommand {
  public ApproveCommand() {
    super("approvals.approve");
  }
}
