package gatebook.command.call.approval;

import static java.util.stream.Collectors.joining;

import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateInput;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.rules.Source;
import gatebook.events.call.Digest;
import java.util.stream.Stream;

/** Binds an approval to one call. */
public final class ApprovalBinding {

  private ApprovalBinding() {}

  /** A digest of dialect, source, target, principal, method and params. */
  public static Digest digest(
      ReceiveCall call, GateInput gateInput, Source source, PayloadRecorder payloadRecorder) {
    return payloadRecorder.digest(
        Stream.<String>of(
                call.dialectVersion().dialect().word(),
                source.id(),
                source.ownName(gateInput.target()),
                gateInput.target(),
                call.principal().name(),
                call.method(),
                call.params() == null ? "" : call.params())
            .map(part -> part.length() + ":" + part) // the length keeps parts from running together
            .collect(joining()));
  }
}
