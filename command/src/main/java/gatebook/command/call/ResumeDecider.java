package gatebook.command.call;

import gatebook.command.call.CallState.Standing;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateOutcome;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalEvent;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a held call goes on: by what a person said, by the time, and by the rules of now,
 * under which every gate must still say what it said when the person was asked.
 */
public final class ResumeDecider {

  private final GateChain gateChain;
  private final InspectorChain inspectorChain;
  private final PayloadRecorders payloadRecorders;
  private final FaultTranslator faultTranslator;

  public ResumeDecider(
      GateChain gateChain,
      InspectorChain inspectorChain,
      PayloadRecorders payloadRecorders,
      FaultTranslator faultTranslator) {
    this.gateChain = gateChain;
    this.inspectorChain = inspectorChain;
    this.payloadRecorders = payloadRecorders;
    this.faultTranslator = faultTranslator;
  }

  public Decision<ResumeOutcome> decide(ResumeCall command, CallState soFar) {
    if (soFar.ended() || soFar.forwarded() || soFar.approval() == null) {
      return new Decision<>(List.of(), new ResumeOutcome.Gone());
    }
    return switch (soFar.approval().standing()) {
      case Standing.Waiting() -> waiting(command, soFar.approval().asked());
      case Standing.Granted(var event) -> granted(command, event.by(), List.of());
      case Standing.Rejected(var event) -> rejected(command, event.by(), event.reason());
      case Standing.TimedOut _ -> tooLate(command, List.of());
    };
  }

  private Decision<ResumeOutcome> waiting(ResumeCall command, ApprovalRequested asked) {
    if (workflowGone(command)) {
      return workflowNotFound(command, List.of());
    }
    if (command.at().isBefore(ApprovalDecider.due(asked))) {
      return new Decision<>(List.of(), new ResumeOutcome.StillHeld());
    }
    ApprovalEvent unanswered = ApprovalDecider.unanswered(asked, command.at());
    return unanswered instanceof ApprovalGranted
        ? granted(command, null, List.of(unanswered))
        : tooLate(command, List.of(unanswered));
  }

  private Decision<ResumeOutcome> tooLate(ResumeCall command, List<Event> before) {
    HeldCall heldCall = command.hold();
    long seconds = Duration.between(heldCall.call().receivedAt(), heldCall.due()).toSeconds();
    return denied(
        command,
        before,
        new Denied.ApprovalTimeout(
            heldCall.asked().targets(),
            seconds,
            heldCall.question().workflow(),
            heldCall.asked().on().content()),
        new Verdict.Deny(DenialReason.TIMED_OUT, null),
        null);
  }

  private Decision<ResumeOutcome> rejected(ResumeCall command, String by, @Nullable String reason) {
    HeldCall heldCall = command.hold();
    return denied(
        command,
        List.of(),
        new Denied.ApprovalRejected(
            heldCall.asked().targets(),
            by,
            reason,
            heldCall.question().workflow(),
            heldCall.asked().on().content()),
        new Verdict.Deny(DenialReason.REJECTED, reason),
        by);
  }

  private Decision<ResumeOutcome> workflowNotFound(ResumeCall command, List<Event> before) {
    return denied(
        command,
        before,
        new Denied.WorkflowNotFound(command.hold().question().workflow()),
        new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
        null);
  }

  private static boolean workflowGone(ResumeCall command) {
    return !command.rules().workflows().containsKey(command.hold().question().workflow());
  }

  /** A person said yes; now the call must be what was shown, and the rules must be as they were. */
  private Decision<ResumeOutcome> granted(
      ResumeCall command, @Nullable String by, List<Event> before) {
    if (workflowGone(command)) {
      return workflowNotFound(command, before);
    }
    HeldCall heldCall = command.hold();
    GateOutcome now = gateChain.way(heldCall.asked().at(command.at()), command.rules());
    Optional<Gate> changed = changed(heldCall, now);
    if (changed.isPresent()) {
      return withheld(command, before, policyDrift(command, changed.get()));
    }
    Source source = ((GateOutcome.Ask) now).source();
    if (!ApprovalBinding.of(
            heldCall.call(), heldCall.asked(), source, payloadRecorders.of(command.rules()))
        .equals(heldCall.question().bound())) {
      return withheld(
          command,
          before,
          new Withheld.TransformDrift(heldCall.asked().targets(), heldCall.question().taskId()));
    }
    return inspectorChain
        .of(heldCall.asked(), source, command.rules())
        .map(fault -> withheld(command, before, fault))
        .orElseGet(() -> forwarded(command, before, source, now.rulings(), by));
  }

  /** The first gate that says something else than when the person was asked. */
  private static Optional<Gate> changed(HeldCall heldCall, GateOutcome now) {
    List<Ruling> then = heldCall.question().rulings();
    for (int i = 0; i < Math.min(then.size(), now.rulings().size()); i++) {
      if (!then.get(i).verdict().equals(now.rulings().get(i).verdict())) {
        return Optional.of(now.rulings().get(i).gate());
      }
    }
    boolean asksTheSame =
        now instanceof GateOutcome.Ask ask
            && ask.workflow().name().equals(heldCall.question().workflow());
    return asksTheSame ? Optional.empty() : Optional.of(Gate.GOVERNANCE);
  }

  private static Fault policyDrift(ResumeCall command, Gate changedAt) {
    HeldCall heldCall = command.hold();
    return new Withheld.PolicyDrift(
        heldCall.asked().targets(),
        heldCall.question().taskId(),
        changedAt,
        heldCall.question().rulesHash(),
        command.rules().hash());
  }

  private Decision<ResumeOutcome> forwarded(
      ResumeCall command,
      List<Event> before,
      Source source,
      List<Ruling> rulings,
      @Nullable String by) {
    List<Event> events = new ArrayList<>(before);
    events.add(
        new CallAdmitted(
            command.hold().call().callId(),
            command.rules().hash(),
            and(rulings, approval(command, new Verdict.Pass(), by))));
    events.addAll(
        ForwardRecord.first(
            command.hold().call().callId(), source, command.hold().asked(), command.rules()));
    return new Decision<>(events, new ResumeOutcome.Forwarded(source));
  }

  private Decision<ResumeOutcome> denied(
      ResumeCall command,
      List<Event> before,
      Fault fault,
      Verdict.Deny verdict,
      @Nullable String by) {
    HeldCall heldCall = command.hold();
    ErrorResponse errorResponse = told(heldCall, fault);
    List<Event> events = new ArrayList<>(before);
    events.add(
        new GateDenied(
            heldCall.call().callId(),
            command.rules().hash(),
            faultTranslator.names().scrub(heldCall.asked().targets()),
            heldCall.call().principal().name(),
            and(heldCall.question().rulings(), approval(command, verdict, by))));
    events.add(translated(command, fault, errorResponse));
    return new Decision<>(
        events, new ResumeOutcome.Refused(named(fault), errorResponse, verdict.reason()));
  }

  private Decision<ResumeOutcome> withheld(ResumeCall command, List<Event> before, Fault fault) {
    ErrorResponse errorResponse = told(command.hold(), fault);
    List<Event> events = new ArrayList<>(before);
    events.add(translated(command, fault, errorResponse));
    return new Decision<>(events, new ResumeOutcome.Refused(named(fault), errorResponse, null));
  }

  private static Ruling approval(ResumeCall command, Verdict verdict, @Nullable String by) {
    HeldCall heldCall = command.hold();
    return new Ruling.Approval(
        verdict, heldCall.question().workflow(), heldCall.question().approvalId(), by, 0);
  }

  private static List<Ruling> and(List<Ruling> rulings, Ruling last) {
    List<Ruling> all = new ArrayList<>(rulings);
    all.add(last);
    return all;
  }

  private ErrorResponse told(HeldCall heldCall, Fault fault) {
    return faultTranslator.tell(fault, heldCall.call().tongue(), heldCall.call().correlationId());
  }

  private ErrorTranslated translated(ResumeCall command, Fault fault, ErrorResponse errorResponse) {
    return new ErrorTranslated(
        command.hold().call().callId(),
        faultTranslator.names().scrub(command.hold().asked().targets()),
        named(fault),
        errorResponse,
        0,
        null,
        waitedMillis(command));
  }

  private Fault named(Fault fault) {
    return FaultScrubber.scrubbed(fault, faultTranslator.names());
  }

  private static long waitedMillis(ResumeCall command) {
    return Math.max(
        0, Duration.between(command.hold().call().receivedAt(), command.at()).toMillis());
  }
}
