package gatebook.command.call.approval;

import gatebook.command.call.CallState;
import gatebook.command.call.CallState.ApprovalStatus;
import gatebook.command.call.Decision;
import gatebook.command.call.FaultScrubber;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.ForwardRecord;
import gatebook.command.call.HeldCall;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateOutcome;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.ContentDigests.Match;
import gatebook.command.rules.Rules;
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
 * Decides whether a held call resumes: by the operator's decision, by the time, and by the rules in
 * force now, under which every gate must still rule as it did when the approval was requested.
 */
public final class ResumeDecider {

  private final GateChain gateChain;
  private final InspectorChain inspectorChain;
  private final ContentDigests contentDigests;
  private final FaultTranslator faultTranslator;

  public ResumeDecider(
      GateChain gateChain,
      InspectorChain inspectorChain,
      ContentDigests contentDigests,
      FaultTranslator faultTranslator) {
    this.gateChain = gateChain;
    this.inspectorChain = inspectorChain;
    this.contentDigests = contentDigests;
    this.faultTranslator = faultTranslator;
  }

  /** {@code rules} are those in force now. */
  public Decision<ResumeOutcome> decide(ResumeCall command, CallState state, Rules rules) {
    return new Resumption(command, rules).decide(state);
  }

  /** One held call under the rules in force now. */
  private final class Resumption {
    private final ResumeCall command;
    private final Rules rules;

    Resumption(ResumeCall command, Rules rules) {
      this.command = command;
      this.rules = rules;
    }

    Decision<ResumeOutcome> decide(CallState state) {
      if (state.hasEnded() || state.isForwarded() || state.approval() == null) {
        return new Decision<>(List.of(), new ResumeOutcome.Gone());
      }
      return switch (state.approval().status()) {
        case ApprovalStatus.Waiting() -> waiting(state.approval().request());
        case ApprovalStatus.Granted(var event) -> granted(event.by(), List.of());
        case ApprovalStatus.Rejected(var event) -> rejected(event.by(), event.reason());
        case ApprovalStatus.TimedOut _ -> tooLate(List.of());
      };
    }

    private Decision<ResumeOutcome> waiting(ApprovalRequested request) {
      if (isWorkflowGone()) {
        return workflowNotFound(List.of());
      }
      if (command.at().isBefore(request.due())) {
        return new Decision<>(List.of(), new ResumeOutcome.StillHeld());
      }
      ApprovalEvent event = ApprovalDecider.deadlineEvent(request, command.at());
      return event instanceof ApprovalGranted
          ? granted(null, List.of(event))
          : tooLate(List.of(event));
    }

    private Decision<ResumeOutcome> tooLate(List<Event> before) {
      HeldCall heldCall = command.heldCall();
      long seconds = Duration.between(heldCall.call().receivedAt(), heldCall.due()).toSeconds();
      return denied(
          before,
          new Denied.ApprovalTimeout(
              heldCall.gateInput().targetSummary(),
              seconds,
              heldCall.approvalRequest().workflow(),
              heldCall.gateInput().targetKind().content()),
          new Verdict.Deny(DenialReason.TIMED_OUT, null),
          null);
    }

    private Decision<ResumeOutcome> rejected(String by, @Nullable String reason) {
      HeldCall heldCall = command.heldCall();
      return denied(
          List.of(),
          new Denied.ApprovalRejected(
              heldCall.gateInput().targetSummary(),
              by,
              reason,
              heldCall.approvalRequest().workflow(),
              heldCall.gateInput().targetKind().content()),
          new Verdict.Deny(DenialReason.REJECTED, reason),
          by);
    }

    private Decision<ResumeOutcome> workflowNotFound(List<Event> before) {
      return denied(
          before,
          new Denied.WorkflowNotFound(command.heldCall().approvalRequest().workflow()),
          new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
          null);
    }

    private boolean isWorkflowGone() {
      return !rules.workflows().containsKey(command.heldCall().approvalRequest().workflow());
    }

    /**
     * After an approval the call must be the one that was shown, and the gates must rule as before.
     */
    private Decision<ResumeOutcome> granted(@Nullable String by, List<Event> before) {
      if (isWorkflowGone()) {
        return workflowNotFound(before);
      }
      HeldCall heldCall = command.heldCall();
      GateOutcome now = gateChain.evaluate(heldCall.gateInput().withTime(command.at()), rules);
      Optional<Gate> changed = changedGate(heldCall, now);
      if (changed.isPresent()) {
        return withheld(before, policyDrift(changed.get()));
      }
      Source source = ((GateOutcome.NeedsApproval) now).source();
      String content = ApprovalBinding.content(heldCall.call(), heldCall.gateInput(), source);
      if (contentDigests.match(heldCall.approvalRequest().bound(), content) != Match.SAME) {
        return withheld(
            before,
            new Withheld.TransformDrift(
                heldCall.gateInput().targetSummary(), heldCall.approvalRequest().taskId()));
      }
      return inspectorChain
          .inspect(heldCall.gateInput(), source, rules)
          .map(fault -> withheld(before, fault))
          .orElseGet(() -> forwarded(before, source, now.rulings(), by));
    }

    /** The first gate whose verdict is not the one of when the approval was requested. */
    private Optional<Gate> changedGate(HeldCall heldCall, GateOutcome now) {
      List<Ruling> then = heldCall.approvalRequest().rulings();
      for (int i = 0; i < Math.min(then.size(), now.rulings().size()); i++) {
        if (!then.get(i).verdict().equals(now.rulings().get(i).verdict())) {
          return Optional.of(now.rulings().get(i).gate());
        }
      }
      boolean isSameWorkflow =
          now instanceof GateOutcome.NeedsApproval needsApproval
              && needsApproval.workflow().name().equals(heldCall.approvalRequest().workflow());
      return isSameWorkflow ? Optional.empty() : Optional.of(Gate.GOVERNANCE);
    }

    private Fault policyDrift(Gate changedAt) {
      HeldCall heldCall = command.heldCall();
      return new Withheld.PolicyDrift(
          heldCall.gateInput().targetSummary(),
          heldCall.approvalRequest().taskId(),
          changedAt,
          heldCall.approvalRequest().rulesHash(),
          command.rulesHash());
    }

    private Decision<ResumeOutcome> forwarded(
        List<Event> before, Source source, List<Ruling> rulings, @Nullable String by) {
      List<Event> events = new ArrayList<>(before);
      events.add(
          new CallAdmitted(
              command.heldCall().call().callId(),
              command.rulesHash(),
              append(rulings, approval(new Verdict.Pass(), by)),
              GateChain.LOGIC_VERSION,
              null));
      events.addAll(
          ForwardRecord.firstAttempts(
              command.heldCall().call().callId(), source, command.heldCall().gateInput(), rules));
      return new Decision<>(events, new ResumeOutcome.Forwarded(source));
    }

    private Decision<ResumeOutcome> denied(
        List<Event> before, Fault fault, Verdict.Deny verdict, @Nullable String by) {
      HeldCall heldCall = command.heldCall();
      ErrorResponse errorResponse = errorResponse(heldCall, fault);
      List<Event> events = new ArrayList<>(before);
      events.add(
          new GateDenied(
              heldCall.call().callId(),
              command.rulesHash(),
              faultTranslator.nameScrubber().scrub(heldCall.gateInput().targetSummary()),
              heldCall.call().principal().name(),
              append(heldCall.approvalRequest().rulings(), approval(verdict, by)),
              GateChain.LOGIC_VERSION,
              null));
      events.add(translated(fault, errorResponse));
      return new Decision<>(
          events, new ResumeOutcome.Refused(scrubbed(fault), errorResponse, verdict.reason()));
    }

    private Decision<ResumeOutcome> withheld(List<Event> before, Fault fault) {
      ErrorResponse errorResponse = errorResponse(command.heldCall(), fault);
      List<Event> events = new ArrayList<>(before);
      events.add(translated(fault, errorResponse));
      return new Decision<>(
          events, new ResumeOutcome.Refused(scrubbed(fault), errorResponse, null));
    }

    private Ruling approval(Verdict verdict, @Nullable String by) {
      HeldCall heldCall = command.heldCall();
      return new Ruling.Approval(
          verdict,
          heldCall.approvalRequest().workflow(),
          heldCall.approvalRequest().approvalId(),
          by,
          0);
    }

    private List<Ruling> append(List<Ruling> rulings, Ruling last) {
      List<Ruling> all = new ArrayList<>(rulings);
      all.add(last);
      return all;
    }

    private ErrorResponse errorResponse(HeldCall heldCall, Fault fault) {
      return faultTranslator.translate(
          fault, heldCall.call().dialectVersion(), heldCall.call().correlationId());
    }

    private ErrorTranslated translated(Fault fault, ErrorResponse errorResponse) {
      return new ErrorTranslated(
          command.heldCall().call().callId(),
          faultTranslator.nameScrubber().scrub(command.heldCall().gateInput().targetSummary()),
          scrubbed(fault),
          errorResponse,
          0,
          null,
          waitedMillis());
    }

    private Fault scrubbed(Fault fault) {
      return FaultScrubber.scrub(fault, faultTranslator.nameScrubber());
    }

    private long waitedMillis() {
      return Math.max(
          0, Duration.between(command.heldCall().call().receivedAt(), command.at()).toMillis());
    }
  }
}
