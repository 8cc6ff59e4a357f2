package gatebook.command.call;

import static java.util.stream.Collectors.joining;

import gatebook.command.gate.GateInput;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.rules.Source;
import gatebook.events.call.Digest;
import java.util.stream.Stream;

/** What an approval is good for: this call, and no other. */
public final class ApprovalBinding {

  private ApprovalBinding() {}

  /** A digest of dialect, source, target, principal, method and params. */
  public static Digest of(
      ReceiveCall call, GateInput gateInput, Source source, PayloadRecorder payloadRecorder) {
    return payloadRecorder.digest(
        Stream.<String>of(
                call.tongue().dialect().word(),
                source.id(),
                source.ownName(gateInput.target()),
                gateInput.target(),
                call.principal().name(),
                call.method(),
                call.params() == null ? "" : call.params())
            .map(part -> part.length() + ":" + part) // no part can pass for the end of another
            .collect(joining()));
  }
}
