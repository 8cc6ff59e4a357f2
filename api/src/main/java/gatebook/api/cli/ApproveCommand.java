package gatebook.api.cli;

import picocli.CommandLine.Command;

/** The command {@code gatebook approve}: approves a held call. */
@Command(
    name = "approve",
    description = "Approves a call that waits for an approval, so that it continues.",
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
