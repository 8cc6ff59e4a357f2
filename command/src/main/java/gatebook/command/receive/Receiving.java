package gatebook.command.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.Decision;
import gatebook.command.NamesInFaults;
import gatebook.command.Telling;
import gatebook.command.gate.Asked;
import gatebook.command.gate.Gates;
import gatebook.command.inspect.Inspections;
import gatebook.command.keep.Keeper;
import gatebook.command.keep.Keepers;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.TaskCreated;
import gatebook.events.call.Ruling;
import gatebook.events.call.Sealed;
import gatebook.events.call.Told;
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
public final class Receiving {

  private final Judging judging;
  private final Seats seats;
  private final Keepers keepers;
  private final Telling telling;
  private final InstantSource clock;

  public Receiving(
      Gates gates,
      Inspections inspections,
      Seats seats,
      Keepers keepers,
      Telling telling,
      InstantSource clock) {
    this.judging = new Judging(gates, inspections);
    this.seats = seats;
    this.keepers = keepers;
    this.telling = telling;
    this.clock = clock;
  }

  public Decision<Reception> decide(ReceiveCall call) {
    return switch (call.aim()) {
      case Aim.Act act -> act(call, call.asked(act));
      case Aim.Ask() ->
          new Decision<>(
              List.of(received(call, null, null), admitted(call, List.of())),
              new Reception.Admitted());
      case Aim.Unservable(var fault) -> refused(call, received(call, null, null), fault);
    };
  }

  private Decision<Reception> act(ReceiveCall call, Asked asked) {
    return switch (judging.of(asked, call.isNotification(), call.rules())) {
      case Judgement.Denied denied -> denied(call, asked, denied);
      case Judgement.Withheld(var source, var fault, var rulings) ->
          withheld(call, asked, source, rulings, fault);
      case Judgement.Forward(var source, var rulings) -> forwarded(call, asked, source, rulings);
      case Judgement.Ask ask when isTask(call) && isTooLarge(call) -> tooLarge(call, asked, ask);
      case Judgement.Ask ask -> seated(call, asked, ask);
    };
  }

  private Decision<Reception> forwarded(
      ReceiveCall call, Asked asked, Source source, List<Ruling> rulings) {
    List<Event> events = new ArrayList<>();
    events.add(received(call, source.id(), asked.targets()));
    events.add(admitted(call, rulings));
    events.addAll(Forwarding.first(call.callId(), source, asked, call.rules()));
    return new Decision<>(events, new Reception.Forwarded(source));
  }

  private Decision<Reception> withheld(
      ReceiveCall call, Asked asked, Source source, List<Ruling> rulings, Fault fault) {
    Told told = told(call, fault);
    return new Decision<>(
        List.of(
            received(call, source.id(), asked.targets()),
            admitted(call, rulings),
            translated(call, asked.targets(), fault, told)),
        new Reception.Refused(named(fault), told, null));
  }

  private Decision<Reception> seated(ReceiveCall call, Asked asked, Judgement.Ask ask) {
    return switch (seats.take(call.callId(), call.principal().name(), call.rules().limits())) {
      case TAKEN -> held(call, asked, ask);
      case PRINCIPAL_FULL ->
          withheld(
              call,
              asked,
              ask.source(),
              ask.rulings(),
              new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null));
      case FULL ->
          withheld(
              call,
              asked,
              ask.source(),
              ask.rulings(),
              new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null));
    };
  }

  private Decision<Reception> held(ReceiveCall call, Asked asked, Judgement.Ask ask) {
    Deferral deferral = call.deferral();
    return deferral == null || !keeps(call) || isTooLarge(call)
        ? waiting(call, asked, ask)
        : deferred(call, asked, ask, deferral);
  }

  /** Whether the caller asks for what we say can be had. */
  private boolean isTask(ReceiveCall call) {
    return call.deferral() != null && call.deferral().wanted() && keeps(call);
  }

  private boolean keeps(ReceiveCall call) {
    return keepers.of(call.rules()).keepsOriginals();
  }

  private Decision<Reception> waiting(ReceiveCall call, Asked asked, Judgement.Ask ask) {
    Instant patience = call.receivedAt().plusMillis(ask.workflow().blockingMillis());
    Instant deadline = deadline(call, ask.workflow());
    Instant heldUntil = patience.isBefore(deadline) ? patience : deadline;
    Hold hold = new Hold(call, asked, requested(call, asked, ask, null, heldUntil));
    return new Decision<>(
        List.of(received(call, ask.source().id(), asked.targets()), hold.question()),
        new Reception.Held(hold));
  }

  /** Whoever comes back needs all of it to be kept. */
  private Decision<Reception> deferred(
      ReceiveCall call, Asked asked, Judgement.Ask ask, Deferral deferral) {
    Hold hold = new Hold(call, asked, requested(call, asked, ask, deferral.taskId(), null));
    TaskCreated task =
        new TaskCreated(
            call.callId(),
            deferral.taskId(),
            deferral.form(),
            call.receivedAt(),
            deferral.ttlMillis(ask.workflow(), call.rules().limits()));
    return new Decision<>(
        List.of(
            received(call, ask.source().id(), asked.targets(), deferral.taskId()),
            hold.question(),
            task),
        new Reception.Deferred(hold, task));
  }

  private static boolean isTooLarge(ReceiveCall call) {
    return call.params() != null
        && call.params().getBytes(UTF_8).length > call.rules().limits().taskParamsBytesMax();
  }

  private Decision<Reception> tooLarge(ReceiveCall call, Asked asked, Judgement.Ask ask) {
    String expected =
        "params of at most %d bytes in all".formatted(call.rules().limits().taskParamsBytesMax());
    return withheld(
        call,
        asked,
        ask.source(),
        ask.rulings(),
        new Misdirected.InvalidParams(
            List.of(new Problem("task", null, expected, null, List.of()))));
  }

  private static Instant deadline(ReceiveCall call, Workflow workflow) {
    return call.receivedAt().plusMillis(workflow.timeoutMillis());
  }

  /** By the call's id, since nobody is asked about a call twice. */
  private ApprovalRequested requested(
      ReceiveCall call,
      Asked asked,
      Judgement.Ask ask,
      @Nullable String taskId,
      @Nullable Instant heldUntil) {
    return new ApprovalRequested(
        call.callId(),
        call.callId(),
        taskId,
        ask.workflow().name(),
        ask.workflow().destination(),
        Binding.of(call, asked, ask.source(), keepers.of(call.rules())),
        call.receivedAt(),
        deadline(call, ask.workflow()),
        heldUntil,
        ask.workflow().onTimeout(),
        call.rules().hash(),
        ask.rulings());
  }

  /** All targets were asked for; one was denied. */
  private Decision<Reception> denied(ReceiveCall call, Asked asked, Judgement.Denied denied) {
    Told told = told(call, denied.fault());
    return new Decision<>(
        List.of(
            received(call, idOf(denied.source()), asked.targets()),
            new GateDenied(
                call.callId(),
                call.rules().hash(),
                telling.names().scrub(denied.target()),
                call.principal().name(),
                denied.rulings()),
            translated(call, denied.target(), denied.fault(), told)),
        new Reception.Refused(named(denied.fault()), told, denied.reason()));
  }

  private Decision<Reception> refused(ReceiveCall call, Event received, Fault fault) {
    Told told = told(call, fault);
    return new Decision<>(
        List.of(received, translated(call, null, fault, told)),
        new Reception.Refused(named(fault), told, null));
  }

  private Told told(ReceiveCall call, Fault fault) {
    return telling.tell(fault, call.tongue(), call.correlationId());
  }

  private CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target) {
    return received(call, source, target, null);
  }

  private CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target, @Nullable String taskId) {
    Keeper keeper = keepers.of(call.rules());
    return new CallReceived(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.tongue().dialect(),
        call.tongue().version(),
        call.transport(),
        call.receivedAt(),
        telling.names().scrub(call.method()),
        call.rpcId(),
        call.principal(),
        source,
        named(target),
        taskId,
        call.arguments() == null ? null : keeper.keep(call.arguments()),
        sealed(call, keeper, taskId != null),
        call.rules().hash());
  }

  private static @Nullable Sealed sealed(ReceiveCall call, Keeper keeper, boolean whole) {
    if (call.params() == null) {
      return null;
    }
    return whole
        ? keeper.sealWhole(call.callId(), call.params())
        : keeper.seal(call.callId(), call.params());
  }

  private static CallAdmitted admitted(ReceiveCall call, List<Ruling> rulings) {
    return new CallAdmitted(call.callId(), call.rules().hash(), rulings);
  }

  private ErrorTranslated translated(
      ReceiveCall call, @Nullable String target, Fault fault, Told told) {
    long totalMillis = Duration.between(call.receivedAt(), clock.instant()).toMillis();
    return new ErrorTranslated(
        call.callId(), named(target), named(fault), told, 0, null, Math.max(0, totalMillis));
  }

  private @Nullable String named(@Nullable String target) {
    return target == null ? null : telling.names().scrub(target);
  }

  private Fault named(Fault fault) {
    return NamesInFaults.scrubbed(fault, telling.names());
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }
}
