package gatebook.command.call.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.CallVerdict;
import gatebook.command.call.CandidateEvaluation;
import gatebook.command.call.Decision;
import gatebook.command.call.Deferral;
import gatebook.command.call.FaultScrubber;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.ForwardRecord;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveMessage;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.MessageRecognition;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.agent.SentMessageEntity;
import gatebook.command.call.approval.ApprovalBinding;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.TaskCreated;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Ruling;
import gatebook.events.call.SentMessage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.keys.ContentOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides a received call by its intent and the rules at that time.
 *
 * <p>The clock only measures durations; no verdict depends on it.
 */
public final class ReceiveDecider {

  private final CallEvaluation callEvaluation;
  private final CandidateEvaluation candidateEvaluation;
  private final PayloadRecorders payloadRecorders;
  private final MessageRecognition messageRecognition;
  private final FaultTranslator faultTranslator;
  private final InstantSource clock;

  /** {@code candidateInspectors} inspect calls for a candidate. */
  public ReceiveDecider(
      GateChain gateChain,
      InspectorChain inspectorChain,
      InspectorChain candidateInspectors,
      PayloadRecorders payloadRecorders,
      ContentDigests contentDigests,
      FaultTranslator faultTranslator,
      InstantSource clock) {
    this.candidateEvaluation =
        new CandidateEvaluation(
            new CallEvaluation(gateChain, candidateInspectors), faultTranslator::nameScrubber);
    this.callEvaluation = new CallEvaluation(gateChain, inspectorChain);
    this.payloadRecorders = payloadRecorders;
    this.messageRecognition = new MessageRecognition(contentDigests);
    this.faultTranslator = faultTranslator;
    this.clock = clock;
  }

  /**
   * Decides the call.
   *
   * @param rules those in force when it was received
   * @param quotaResult of the quotas, should the call be forwarded or held
   */
  public Decision<ReceiveOutcome> decide(ReceiveCall call, Rules rules, QuotaResult quotaResult) {
    return new Receipt(call, rules, quotaResult, false).decide();
  }

  /**
   * Decides the call of a message. A duplicate has no effect.
   *
   * @param sent the earlier messages with the same id
   */
  Decision<ReceiveOutcome> decide(
      ReceiveMessage command, SentMessageEntity sent, Rules rules, QuotaResult quotaResult) {
    List<TaskCreated> known = MessageRecognition.known(sent, command.call().receivedAt(), rules);
    Receipt receipt = new Receipt(command.call(), rules, quotaResult, !known.isEmpty());
    return messageRecognition
        .same(known, command.key(), command.message().content())
        .map(receipt::duplicate)
        .orElseGet(receipt::decide);
  }

  /** One received call under the rules at that time. */
  private final class Receipt {
    private final ReceiveCall call;
    private final Rules rules;
    private final QuotaResult quotaResult;
    private final boolean usesIdAgain;

    /** Absent where no candidate is observed, and until it has decided. */
    private @Nullable ObservedVerdict observed;

    Receipt(ReceiveCall call, Rules rules, QuotaResult quotaResult, boolean usesIdAgain) {
      this.call = call;
      this.rules = rules;
      this.quotaResult = quotaResult;
      this.usesIdAgain = usesIdAgain;
    }

    Decision<ReceiveOutcome> decide() {
      return switch (call.intent()) {
        case Intent.Act act -> {
          GateInput gateInput = call.gateInput(act);
          observed = candidateEvaluation.evaluate(gateInput, call, act, rules);
          yield act(gateInput, callEvaluation.evaluate(gateInput, call, act, rules));
        }
        case Intent.AnswerHere() ->
            new Decision<>(
                List.of(received(null, null), admitted(List.of())), new ReceiveOutcome.Admitted());
        case Intent.Unservable(var fault) -> refused(received(null, null), fault);
      };
    }

    @Nullable SentMessage sentMessage(Deferral deferral) {
      return messageRecognition.sent(
          call.principal().name(), call.agent(), deferral.message(), call.receivedAt());
    }

    /** The earlier message has a task; no gate is asked again. */
    Decision<ReceiveOutcome> duplicate(TaskCreated earlier) {
      return new Decision<>(
          List.of(received(null, null), admitted(List.of())),
          new ReceiveOutcome.Duplicate(new TaskId(earlier.taskId(), earlier.callId())));
    }

    private Decision<ReceiveOutcome> act(GateInput gateInput, CallVerdict verdict) {
      return switch (verdict) {
        case CallVerdict.Denied denied -> denied(gateInput, denied);
        case CallVerdict.Withheld(var source, var fault, var rulings) ->
            withheld(gateInput, source, rulings, fault);
        case CallVerdict.Allowed(var source, var rulings) when isTaskAtOnce() && isTooLarge() ->
            tooLarge(gateInput, source, rulings);
        case CallVerdict.NeedsApproval needsApproval when isTask() && isTooLarge() ->
            tooLarge(gateInput, needsApproval.source(), needsApproval.rulings());
        case CallVerdict.Allowed allowed -> forwardIfQuotasAllow(gateInput, allowed);
        case CallVerdict.NeedsApproval needsApproval -> holdIfQuotasAllow(gateInput, needsApproval);
      };
    }

    /** It needs no slot of held calls. */
    private Decision<ReceiveOutcome> forwardIfQuotasAllow(
        GateInput gateInput, CallVerdict.Allowed allowed) {
      return switch (quotaResult) {
        case QuotaResult.Taken(), QuotaResult.HoldFull _ when isTaskAtOnce() ->
            started(
                gateInput,
                allowed.source(),
                allowed.rulings(),
                Objects.requireNonNull(call.deferral()));
        case QuotaResult.Taken(), QuotaResult.HoldFull _ ->
            forwarded(gateInput, allowed.source(), allowed.rulings());
        case QuotaResult.UsedUp(var fault) ->
            withheld(gateInput, allowed.source(), allowed.rulings(), fault);
      };
    }

    private Decision<ReceiveOutcome> forwarded(
        GateInput gateInput, Source source, List<Ruling> rulings) {
      List<Event> events = new ArrayList<>();
      events.add(accepted(source, gateInput, null));
      events.add(admitted(rulings));
      events.addAll(ForwardRecord.firstAttempts(call.callId(), source, gateInput, rules));
      return new Decision<>(events, new ReceiveOutcome.Forwarded(source));
    }

    /** Seals all params, as for every task. */
    private Decision<ReceiveOutcome> started(
        GateInput gateInput, Source source, List<Ruling> rulings, Deferral deferral) {
      TaskCreated task = created(deferral, deferral.ttlMillis(rules.limits()));
      List<Event> events = new ArrayList<>();
      events.add(accepted(source, gateInput, deferral));
      events.add(admitted(rulings));
      events.addAll(ForwardRecord.firstAttempts(call.callId(), source, gateInput, rules));
      events.add(task);
      return new Decision<>(events, new ReceiveOutcome.Started(call, source, task, usesIdAgain));
    }

    private Decision<ReceiveOutcome> withheld(
        GateInput gateInput, Source source, List<Ruling> rulings, Fault fault) {
      ErrorResponse errorResponse = errorResponse(fault);
      return new Decision<>(
          List.of(
              received(source.id(), gateInput.targetSummary()),
              admitted(rulings),
              translated(gateInput.targetSummary(), fault, errorResponse)),
          new ReceiveOutcome.Refused(scrubbed(fault), errorResponse, null));
    }

    private Decision<ReceiveOutcome> holdIfQuotasAllow(
        GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
      return switch (quotaResult) {
        case QuotaResult.Taken() -> hold(gateInput, needsApproval);
        case QuotaResult.HoldFull _ when call.treeTaskId() != null ->
            new Decision<>(List.of(), new ReceiveOutcome.NoRoom());
        case QuotaResult.HoldFull(var fault) ->
            withheld(gateInput, needsApproval.source(), needsApproval.rulings(), fault);
        case QuotaResult.UsedUp(var fault) ->
            withheld(gateInput, needsApproval.source(), needsApproval.rulings(), fault);
      };
    }

    private Decision<ReceiveOutcome> hold(
        GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
      Deferral deferral = call.deferral();
      return deferral == null || !keepsOriginals() || isTooLarge()
          ? holdWithCaller(gateInput, needsApproval)
          : holdAsTask(gateInput, needsApproval, deferral);
    }

    /** Whether a held call must be a task and can be one: a task needs kept originals. */
    private boolean isTask() {
      return call.deferral() != null && call.deferral().isRequired() && keepsOriginals();
    }

    /** Whether the call is a task although it waits for no approval. */
    private boolean isTaskAtOnce() {
      return call.deferral() != null
          && call.deferral().isForEveryCall()
          && !call.isNotification()
          && keepsOriginals();
    }

    private boolean keepsOriginals() {
      return recorder().keepsOriginals();
    }

    private Decision<ReceiveOutcome> holdWithCaller(
        GateInput gateInput, CallVerdict.NeedsApproval needsApproval) {
      Instant callerWaitsUntil =
          call.receivedAt().plusMillis(needsApproval.workflow().blockingMillis());
      Instant deadline = deadline(needsApproval.workflow());
      Instant heldUntil = callerWaitsUntil.isBefore(deadline) ? callerWaitsUntil : deadline;
      HeldCall heldCall =
          new HeldCall(
              call, gateInput, approvalRequested(gateInput, needsApproval, null, heldUntil));
      return new Decision<>(
          List.of(accepted(needsApproval.source(), gateInput, null), heldCall.approvalRequest()),
          new ReceiveOutcome.Held(heldCall));
    }

    /** Seals all params: a task is continued, even by another process, from what is kept. */
    private Decision<ReceiveOutcome> holdAsTask(
        GateInput gateInput, CallVerdict.NeedsApproval needsApproval, Deferral deferral) {
      HeldCall heldCall =
          new HeldCall(
              call,
              gateInput,
              approvalRequested(gateInput, needsApproval, deferral.taskId(), null));
      TaskCreated task =
          created(deferral, deferral.ttlMillis(needsApproval.workflow(), rules.limits()));
      List<Event> events = new ArrayList<>();
      events.add(accepted(needsApproval.source(), gateInput, deferral));
      events.addAll(List.of(heldCall.approvalRequest(), task));
      RecordAgentTask.told(task, call.principal().name()).ifPresent(events::add);
      return new Decision<>(events, new ReceiveOutcome.Deferred(heldCall, task, usesIdAgain));
    }

    private TaskCreated created(Deferral deferral, long ttlMillis) {
      return deferral.created(call, ttlMillis, sentMessage(deferral));
    }

    private boolean isTooLarge() {
      return call.params() != null
          && call.params().getBytes(UTF_8).length > rules.limits().get(Limit.TASK_PARAMS_BYTES_MAX);
    }

    private Decision<ReceiveOutcome> tooLarge(
        GateInput gateInput, Source source, List<Ruling> rulings) {
      String param = isTaskAtOnce() ? "params" : "task";
      String expected =
          "params of at most %d bytes in all"
              .formatted(rules.limits().get(Limit.TASK_PARAMS_BYTES_MAX));
      return withheld(
          gateInput,
          source,
          rulings,
          new Misdirected.InvalidParams(
              List.of(new Problem(param, null, expected, null, List.of()))));
    }

    private Instant deadline(ApprovalWorkflow approvalWorkflow) {
      return call.receivedAt().plusMillis(approvalWorkflow.timeoutMillis());
    }

    /** The approval has the call's id, since a call has at most one approval. */
    private ApprovalRequested approvalRequested(
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
          recorder().digest(ApprovalBinding.content(call, gateInput, needsApproval.source())),
          call.receivedAt(),
          deadline(needsApproval.workflow()),
          heldUntil,
          needsApproval.workflow().onTimeout(),
          call.rulesHash(),
          needsApproval.rulings(),
          GateChain.LOGIC_VERSION,
          observed);
    }

    /** Received with all targets, denied with the one that a gate denied. */
    private Decision<ReceiveOutcome> denied(GateInput gateInput, CallVerdict.Denied denied) {
      ErrorResponse errorResponse = errorResponse(denied.fault());
      String target = faultTranslator.nameScrubber().scrub(denied.target());
      return new Decision<>(
          List.of(
              received(idOf(denied.source()), gateInput.targetSummary()),
              new GateDenied(
                  call.callId(),
                  call.rulesHash(),
                  target,
                  call.principal().name(),
                  denied.rulings(),
                  GateChain.LOGIC_VERSION,
                  observed == null ? null : observed.besideTarget(target)),
              translated(denied.target(), denied.fault(), errorResponse)),
          new ReceiveOutcome.Refused(scrubbed(denied.fault()), errorResponse, denied.reason()));
    }

    private Decision<ReceiveOutcome> refused(Event received, Fault fault) {
      ErrorResponse errorResponse = errorResponse(fault);
      return new Decision<>(
          List.of(received, translated(null, fault, errorResponse)),
          new ReceiveOutcome.Refused(scrubbed(fault), errorResponse, null));
    }

    private ErrorResponse errorResponse(Fault fault) {
      return faultTranslator.translate(fault, call.dialectVersion(), call.correlationId());
    }

    private CallReceived received(@Nullable String source, @Nullable String target) {
      return received(source, target, null, null);
    }

    /** {@code deferral} when the caller gets the outcome later, so that all params are needed. */
    private CallReceived accepted(Source source, GateInput gateInput, @Nullable Deferral deferral) {
      return received(source.id(), gateInput.targetSummary(), deferral, budgets(source));
    }

    /** The names of the quotas whose budgets count the call. */
    private @Nullable List<String> budgets(Source source) {
      if (rules.quotas().isEmpty() || !(call.intent() instanceof Intent.Act act)) {
        return null;
      }
      List<String> names =
          rules.quotas(call.principal(), source, act.targets()).stream()
              .filter(quota -> quota.callsPerDay() != null)
              .map(CallQuota::name)
              .toList();
      return names.isEmpty() ? null : names;
    }

    private CallReceived received(
        @Nullable String source,
        @Nullable String target,
        @Nullable Deferral deferral,
        @Nullable List<String> budgets) {
      PayloadRecorder payloadRecorder = recorder();
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
          call.treeTaskId() == null && deferral != null ? deferral.taskId() : call.treeTaskId(),
          call.arguments() == null ? null : payloadRecorder.keep(call.arguments()),
          original(payloadRecorder, deferral != null),
          call.rulesHash(),
          scrubbed(call.agent()),
          call.recordedAboutIds(faultTranslator.nameScrubber()),
          budgets);
    }

    private PayloadRecorder recorder() {
      return payloadRecorders.of(
          rules, ContentOwner.ofCall(call.principal().name(), call.callId()));
    }

    private @Nullable String original(PayloadRecorder payloadRecorder, boolean anySize) {
      if (call.params() == null) {
        return null;
      }
      return anySize
          ? payloadRecorder.originalOfAnySize(call.params())
          : payloadRecorder.original(call.params());
    }

    private CallAdmitted admitted(List<Ruling> rulings) {
      return new CallAdmitted(
          call.callId(), call.rulesHash(), rulings, GateChain.LOGIC_VERSION, observed);
    }

    private ErrorTranslated translated(
        @Nullable String target, Fault fault, ErrorResponse errorResponse) {
      long totalMillis = Duration.between(call.receivedAt(), clock.instant()).toMillis();
      return new ErrorTranslated(
          call.callId(),
          scrubbed(target),
          scrubbed(fault),
          faultTranslator.recorded(
              errorResponse, fault, call.dialectVersion(), call.correlationId()),
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

    private @Nullable String idOf(@Nullable Source source) {
      return source == null ? null : source.id();
    }
  }
}
