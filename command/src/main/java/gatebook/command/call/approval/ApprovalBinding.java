package gatebook.command.call.approval;

import static java.util.stream.Collectors.joining;

import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateInput;
import gatebook.command.rules.Source;
import java.util.stream.Stream;

/** Binds an approval to one call. */
public final class ApprovalBinding {

  private ApprovalBinding() {}

  /** What an approval is for: dialect, source, target, principal, method and params. */
  public static String content(ReceiveCall call, GateInput gateInput, Source source) {
    return Stream.<String>of(
            call.dialectVersion().dialect().word(),
            source.id(),
            source.ownName(gateInput.target()),
            gateInput.target(),
            call.principal().name(),
            call.method(),
            call.params() == null ? "" : call.params())
        .map(part -> part.length() + ":" + part) // the length keeps parts from running together
        .collect(joining());
  }
}
