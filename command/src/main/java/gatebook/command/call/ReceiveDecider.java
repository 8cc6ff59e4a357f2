package gatebook.command.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.TaskCreated;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Ruling;
import gatebook.events.call.SealedContent;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a received call by its intent and the rules at that time.
 *
 * <p>The clock only measures durations; no verdict depends on it.
 */
public final class ReceiveDecider {

  private final CallEvaluation callEvaluation;
  private final HoldQuota holdQuota;
  private final PayloadRecorders payloadRecorders;
  private final FaultTranslator faultTranslator;
  private final InstantSource clock;

  public ReceiveDecider(
      GateChain gateChain,
      InspectorChain inspectorChain,
      HoldQuota holdQuota,
      PayloadRecorders payloadRecorders,
      FaultTranslator faultTranslator,
      InstantSource clock) {
    this.callEvaluation = new CallEvaluation(gateChain, inspectorChain);
    this.holdQuota = holdQuota;
    this.payloadRecorders = payloadRecorders;
    this.faultTranslator = faultTranslator;
    this.clock = clock;
  }

  public Decision<ReceiveOutcome> decide(ReceiveCall call) {
    return switch (call.intent()) {
      case Intent.Act act -> act(call, call.gateInput(act));
      case Intent.AnswerHere() ->
          new Decision<>(
              List.of(received(call, null, null), admitted(call, List.of())),
              new ReceiveOutcome.Admitted());
      case Intent.Unservable(var fault) -> refused(call, received(call, null, null), fault);
    };
  }

  private Decision<ReceiveOutcome> act(ReceiveCall call, GateInput gateInput) {
    return switch (callEvaluation.evaluate(gateInput, call.isNotification(), call.rules())) {
      case CallVerdict.Denied denied -> denied(call, gateInput, denied);
      case CallVerdict.Withheld(var source, var fault, var rulings) ->
          withheld(call, gateInput, source, rulings, fault);
      case CallVerdict.Allowed(var source, var rulings) ->
          forwarded(call, gateInput, source, rulings);
      case CallVerdict.NeedsApproval needsApproval when isTask(call) && isTooLarge(call) ->
          tooLarge(call, gateInput, needsApproval);
      case CallVerdict.NeedsApproval needsApproval ->
          holdIfQuotaAllows(call, gateInput, needsApproval);
    };
  }

  private Decision<ReceiveOutcome> forwarded(
      ReceiveCall call, GateInput gateInput, Source source, List<Ruling> rulings) {
    List<Event> events = new ArrayList<>();
    events.add(received(call, source.id(), gateInput.targetSummary()));
    events.add(admitted(call, rulings));
    events.addAll(ForwardRecord.firstAttempts(call.callId(), source, gateInput, call.rules()));
    return new Decision<>(events, new ReceiveOutcome.Forwarded(source));
  }

  private Decision<ReceiveOutcome> withheld(
      ReceiveCall call, GateInput gateInput, Source source, List<Ruling> rulings, Fault fault) {
    ErrorResponse errorResponse = errorResponse(call, fault);
    return new Decision<>(
        List.of(
            received(call, source.id(), gateInput.targetSummary()),
            admitted(call, rulings),
            translated(call, gateInput.targetSummary(), fault, errorResponse)),
        new ReceiveOutcome.Refused(scrubbed(fault), errorResponse, null));
  }

  private Decision<ReceiveOutcome> holdIfQuotaAllows(
      ReceiveCall call, GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
    return switch (holdQuota.take(call.callId(), call.principal().name(), call.rules().limits())) {
      case TAKEN -> hold(call, gateInput, needsApproval);
      case PRINCIPAL_FULL ->
          withheld(
              call,
              gateInput,
              needsApproval.source(),
              needsApproval.rulings(),
              new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null));
      case FULL ->
          withheld(
              call,
              gateInput,
              needsApproval.source(),
              needsApproval.rulings(),
              new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null));
    };
  }

  private Decision<ReceiveOutcome> hold(
      ReceiveCall call, GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
    Deferral deferral = call.deferral();
    return deferral == null || !keepsOriginals(call) || isTooLarge(call)
        ? holdWithCaller(call, gateInput, needsApproval)
        : holdAsTask(call, gateInput, needsApproval, deferral);
  }

  /** Whether the caller requested a task and can have one: a task needs kept originals. */
  private boolean isTask(ReceiveCall call) {
    return call.deferral() != null && call.deferral().requested() && keepsOriginals(call);
  }

  private boolean keepsOriginals(ReceiveCall call) {
    return payloadRecorders.of(call.rules()).keepsOriginals();
  }

  private Decision<ReceiveOutcome> holdWithCaller(
      ReceiveCall call, GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
    Instant callerWaitsUntil =
        call.receivedAt().plusMillis(needsApproval.workflow().blockingMillis());
    Instant deadline = deadline(call, needsApproval.workflow());
    Instant heldUntil = callerWaitsUntil.isBefore(deadline) ? callerWaitsUntil : deadline;
    HeldCall heldCall =
        new HeldCall(
            call, gateInput, approvalRequested(call, gateInput, needsApproval, null, heldUntil));
    return new Decision<>(
        List.of(
            received(call, needsApproval.source().id(), gateInput.targetSummary()),
            heldCall.approvalRequest()),
        new ReceiveOutcome.Held(heldCall));
  }

  /** Seals all params: a task is continued, even by another process, from what is kept. */
  private Decision<ReceiveOutcome> holdAsTask(
      ReceiveCall call,
      GateInput gateInput,
      CallVerdict.NeedsApproval needsApproval,
      Deferral deferral) {
    HeldCall heldCall =
        new HeldCall(
            call,
            gateInput,
            approvalRequested(call, gateInput, needsApproval, deferral.taskId(), null));
    TaskCreated task =
        new TaskCreated(
            call.callId(),
            deferral.taskId(),
            deferral.form(),
            call.receivedAt(),
            deferral.ttlMillis(needsApproval.workflow(), call.rules().limits()));
    return new Decision<>(
        List.of(
            received(
                call, needsApproval.source().id(), gateInput.targetSummary(), deferral.taskId()),
            heldCall.approvalRequest(),
            task),
        new ReceiveOutcome.Deferred(heldCall, task));
  }

  private static boolean isTooLarge(ReceiveCall call) {
    return call.params() != null
        && call.params().getBytes(UTF_8).length > call.rules().limits().taskParamsBytesMax();
  }

  private Decision<ReceiveOutcome> tooLarge(
      ReceiveCall call, GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
    String expected =
        "params of at most %d bytes in all".formatted(call.rules().limits().taskParamsBytesMax());
    return withheld(
        call,
        gateInput,
        needsApproval.source(),
        needsApproval.rulings(),
        new Misdirected.InvalidParams(
            List.of(new Problem("task", null, expected, null, List.of()))));
  }

  private static Instant deadline(ReceiveCall call, ApprovalWorkflow approvalWorkflow) {
    return call.receivedAt().plusMillis(approvalWorkflow.timeoutMillis());
  }

  /** The approval has the call's id, since a call has at most one approval. */
  private ApprovalRequested approvalRequested(
      ReceiveCall call,
      GateInput gateInput,
      CallVerdict.NeedsApproval needsApproval,
      @Nullable String taskId,
      @Nullable Instant heldUntil) {
    return new ApprovalRequested(
        call.callId(),
        call.callId(),
        taskId,
        needsApproval.workflow().name(),
        needsApproval.workflow().destination(),
        ApprovalBinding.digest(
            call, gateInput, needsApproval.source(), payloadRecorders.of(call.rules())),
        call.receivedAt(),
        deadline(call, needsApproval.workflow()),
        heldUntil,
        needsApproval.workflow().onTimeout(),
        call.rules().hash(),
        needsApproval.rulings());
  }

  /** Received with all targets, denied with the one that a gate denied. */
  private Decision<ReceiveOutcome> denied(
      ReceiveCall call, GateInput gateInput, CallVerdict.Denied denied) {
    ErrorResponse errorResponse = errorResponse(call, denied.fault());
    return new Decision<>(
        List.of(
            received(call, idOf(denied.source()), gateInput.targetSummary()),
            new GateDenied(
                call.callId(),
                call.rules().hash(),
                faultTranslator.nameScrubber().scrub(denied.target()),
                call.principal().name(),
                denied.rulings()),
            translated(call, denied.target(), denied.fault(), errorResponse)),
        new ReceiveOutcome.Refused(scrubbed(denied.fault()), errorResponse, denied.reason()));
  }

  private Decision<ReceiveOutcome> refused(ReceiveCall call, Event received, Fault fault) {
    ErrorResponse errorResponse = errorResponse(call, fault);
    return new Decision<>(
        List.of(received, translated(call, null, fault, errorResponse)),
        new ReceiveOutcome.Refused(scrubbed(fault), errorResponse, null));
  }

  private ErrorResponse errorResponse(ReceiveCall call, Fault fault) {
    return faultTranslator.translate(fault, call.dialectVersion(), call.correlationId());
  }

  private CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target) {
    return received(call, source, target, null);
  }

  private CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target, @Nullable String taskId) {
    PayloadRecorder payloadRecorder = payloadRecorders.of(call.rules());
    return new CallReceived(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.dialectVersion().dialect(),
        call.dialectVersion().version(),
        call.transport(),
        call.receivedAt(),
        faultTranslator.nameScrubber().scrub(call.method()),
        call.rpcId(),
        call.principal(),
        source,
        scrubbed(target),
        taskId,
        call.arguments() == null ? null : payloadRecorder.keep(call.arguments()),
        sealed(call, payloadRecorder, taskId != null),
        call.rules().hash());
  }

  private static @Nullable SealedContent sealed(
      ReceiveCall call, PayloadRecorder payloadRecorder, boolean anySize) {
    if (call.params() == null) {
      return null;
    }
    return anySize
        ? payloadRecorder.sealAnySize(call.callId(), call.params())
        : payloadRecorder.seal(call.callId(), call.params());
  }

  private static CallAdmitted admitted(ReceiveCall call, List<Ruling> rulings) {
    return new CallAdmitted(call.callId(), call.rules().hash(), rulings);
  }

  private ErrorTranslated translated(
      ReceiveCall call, @Nullable String target, Fault fault, ErrorResponse errorResponse) {
    long totalMillis = Duration.between(call.receivedAt(), clock.instant()).toMillis();
    return new ErrorTranslated(
        call.callId(),
        scrubbed(target),
        scrubbed(fault),
        errorResponse,
        0,
        null,
        Math.max(0, totalMillis));
  }

  private @Nullable String scrubbed(@Nullable String target) {
    return target == null ? null : faultTranslator.nameScrubber().scrub(target);
  }

  private Fault scrubbed(Fault fault) {
    return FaultScrubber.scrub(fault, faultTranslator.nameScrubber());
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }
}
