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
 * Decides what becomes of a call that comes in, by its aim and the rules of that moment.
 *
 * <p>The clock only says how long it took; no verdict depends on it.
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
    return switch (call.aim()) {
      case Intent.Act act -> act(call, call.asked(act));
      case Intent.Ask() ->
          new Decision<>(
              List.of(received(call, null, null), admitted(call, List.of())),
              new ReceiveOutcome.Admitted());
      case Intent.Unservable(var fault) -> refused(call, received(call, null, null), fault);
    };
  }

  private Decision<ReceiveOutcome> act(ReceiveCall call, GateInput gateInput) {
    return switch (callEvaluation.of(gateInput, call.isNotification(), call.rules())) {
      case CallVerdict.Denied denied -> denied(call, gateInput, denied);
      case CallVerdict.Withheld(var source, var fault, var rulings) ->
          withheld(call, gateInput, source, rulings, fault);
      case CallVerdict.Forward(var source, var rulings) ->
          forwarded(call, gateInput, source, rulings);
      case CallVerdict.Ask ask when isTask(call) && isTooLarge(call) ->
          tooLarge(call, gateInput, ask);
      case CallVerdict.Ask ask -> seated(call, gateInput, ask);
    };
  }

  private Decision<ReceiveOutcome> forwarded(
      ReceiveCall call, GateInput gateInput, Source source, List<Ruling> rulings) {
    List<Event> events = new ArrayList<>();
    events.add(received(call, source.id(), gateInput.targets()));
    events.add(admitted(call, rulings));
    events.addAll(ForwardRecord.first(call.callId(), source, gateInput, call.rules()));
    return new Decision<>(events, new ReceiveOutcome.Forwarded(source));
  }

  private Decision<ReceiveOutcome> withheld(
      ReceiveCall call, GateInput gateInput, Source source, List<Ruling> rulings, Fault fault) {
    ErrorResponse errorResponse = told(call, fault);
    return new Decision<>(
        List.of(
            received(call, source.id(), gateInput.targets()),
            admitted(call, rulings),
            translated(call, gateInput.targets(), fault, errorResponse)),
        new ReceiveOutcome.Refused(named(fault), errorResponse, null));
  }

  private Decision<ReceiveOutcome> seated(
      ReceiveCall call, GateInput gateInput, CallVerdict.Ask ask) {
    return switch (holdQuota.take(call.callId(), call.principal().name(), call.rules().limits())) {
      case TAKEN -> held(call, gateInput, ask);
      case PRINCIPAL_FULL ->
          withheld(
              call,
              gateInput,
              ask.source(),
              ask.rulings(),
              new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null));
      case FULL ->
          withheld(
              call,
              gateInput,
              ask.source(),
              ask.rulings(),
              new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null));
    };
  }

  private Decision<ReceiveOutcome> held(
      ReceiveCall call, GateInput gateInput, CallVerdict.Ask ask) {
    Deferral deferral = call.deferral();
    return deferral == null || !keeps(call) || isTooLarge(call)
        ? waiting(call, gateInput, ask)
        : deferred(call, gateInput, ask, deferral);
  }

  /** Whether the caller asks for what we say can be had. */
  private boolean isTask(ReceiveCall call) {
    return call.deferral() != null && call.deferral().wanted() && keeps(call);
  }

  private boolean keeps(ReceiveCall call) {
    return payloadRecorders.of(call.rules()).keepsOriginals();
  }

  private Decision<ReceiveOutcome> waiting(
      ReceiveCall call, GateInput gateInput, CallVerdict.Ask ask) {
    Instant patience = call.receivedAt().plusMillis(ask.workflow().blockingMillis());
    Instant deadline = deadline(call, ask.workflow());
    Instant heldUntil = patience.isBefore(deadline) ? patience : deadline;
    HeldCall heldCall =
        new HeldCall(call, gateInput, requested(call, gateInput, ask, null, heldUntil));
    return new Decision<>(
        List.of(received(call, ask.source().id(), gateInput.targets()), heldCall.question()),
        new ReceiveOutcome.Held(heldCall));
  }

  /** Whoever comes back needs all of it to be kept. */
  private Decision<ReceiveOutcome> deferred(
      ReceiveCall call, GateInput gateInput, CallVerdict.Ask ask, Deferral deferral) {
    HeldCall heldCall =
        new HeldCall(call, gateInput, requested(call, gateInput, ask, deferral.taskId(), null));
    TaskCreated task =
        new TaskCreated(
            call.callId(),
            deferral.taskId(),
            deferral.form(),
            call.receivedAt(),
            deferral.ttlMillis(ask.workflow(), call.rules().limits()));
    return new Decision<>(
        List.of(
            received(call, ask.source().id(), gateInput.targets(), deferral.taskId()),
            heldCall.question(),
            task),
        new ReceiveOutcome.Deferred(heldCall, task));
  }

  private static boolean isTooLarge(ReceiveCall call) {
    return call.params() != null
        && call.params().getBytes(UTF_8).length > call.rules().limits().taskParamsBytesMax();
  }

  private Decision<ReceiveOutcome> tooLarge(
      ReceiveCall call, GateInput gateInput, CallVerdict.Ask ask) {
    String expected =
        "params of at most %d bytes in all".formatted(call.rules().limits().taskParamsBytesMax());
    return withheld(
        call,
        gateInput,
        ask.source(),
        ask.rulings(),
        new Misdirected.InvalidParams(
            List.of(new Problem("task", null, expected, null, List.of()))));
  }

  private static Instant deadline(ReceiveCall call, ApprovalWorkflow approvalWorkflow) {
    return call.receivedAt().plusMillis(approvalWorkflow.timeoutMillis());
  }

  /** By the call's id, since nobody is asked about a call twice. */
  private ApprovalRequested requested(
      ReceiveCall call,
      GateInput gateInput,
      CallVerdict.Ask ask,
      @Nullable String taskId,
      @Nullable Instant heldUntil) {
    return new ApprovalRequested(
        call.callId(),
        call.callId(),
        taskId,
        ask.workflow().name(),
        ask.workflow().destination(),
        ApprovalBinding.of(call, gateInput, ask.source(), payloadRecorders.of(call.rules())),
        call.receivedAt(),
        deadline(call, ask.workflow()),
        heldUntil,
        ask.workflow().onTimeout(),
        call.rules().hash(),
        ask.rulings());
  }

  /** All targets were asked for; one was denied. */
  private Decision<ReceiveOutcome> denied(
      ReceiveCall call, GateInput gateInput, CallVerdict.Denied denied) {
    ErrorResponse errorResponse = told(call, denied.fault());
    return new Decision<>(
        List.of(
            received(call, idOf(denied.source()), gateInput.targets()),
            new GateDenied(
                call.callId(),
                call.rules().hash(),
                faultTranslator.names().scrub(denied.target()),
                call.principal().name(),
                denied.rulings()),
            translated(call, denied.target(), denied.fault(), errorResponse)),
        new ReceiveOutcome.Refused(named(denied.fault()), errorResponse, denied.reason()));
  }

  private Decision<ReceiveOutcome> refused(ReceiveCall call, Event received, Fault fault) {
    ErrorResponse errorResponse = told(call, fault);
    return new Decision<>(
        List.of(received, translated(call, null, fault, errorResponse)),
        new ReceiveOutcome.Refused(named(fault), errorResponse, null));
  }

  private ErrorResponse told(ReceiveCall call, Fault fault) {
    return faultTranslator.tell(fault, call.tongue(), call.correlationId());
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
        call.tongue().dialect(),
        call.tongue().version(),
        call.transport(),
        call.receivedAt(),
        faultTranslator.names().scrub(call.method()),
        call.rpcId(),
        call.principal(),
        source,
        named(target),
        taskId,
        call.arguments() == null ? null : payloadRecorder.keep(call.arguments()),
        sealed(call, payloadRecorder, taskId != null),
        call.rules().hash());
  }

  private static @Nullable SealedContent sealed(
      ReceiveCall call, PayloadRecorder payloadRecorder, boolean whole) {
    if (call.params() == null) {
      return null;
    }
    return whole
        ? payloadRecorder.sealWhole(call.callId(), call.params())
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
        named(target),
        named(fault),
        errorResponse,
        0,
        null,
        Math.max(0, totalMillis));
  }

  private @Nullable String named(@Nullable String target) {
    return target == null ? null : faultTranslator.names().scrub(target);
  }

  private Fault named(Fault fault) {
    return FaultScrubber.scrubbed(fault, faultTranslator.names());
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }
}
