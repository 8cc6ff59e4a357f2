package gatebook.api.cli;

import picocli.CommandLine.Command;

/** {@code gatebook reject}: a person says no. */
@Command(
    name = "reject",
    description = "Turns a call away that waits for a person.",
    footer = {
      "",
      DecideCommand.EXIT_CODES,
      "Example: gatebook reject 0199c0de-0000-7000-8000-000000000000 --reason \"not today\""
    })
public final class RejectCommand extends DecideCommand {
  public RejectCommand() {
    super("approvals.reject");
  }
}
