package gatebook.api.cli;

import picocli.CommandLine.Command;

/** The command {@code gatebook reject}: rejects a held call. */
@Command(
    name = "reject",
    description = "Rejects a call that waits for an approval; its caller gets an error.",
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
