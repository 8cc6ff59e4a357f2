package gatebook.command.receive;

import gatebook.command.Decision;
import gatebook.command.Telling;
import gatebook.command.gate.Source;
import gatebook.command.gate.Sources;
import gatebook.command.gate.Visibility;
import gatebook.command.gate.Visibility.Sight;
import gatebook.events.CallAdmitted;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.call.Ruling;
import gatebook.events.call.Told;
import gatebook.events.fault.Denied.ToolNotExposed;
import gatebook.events.fault.Fault;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a call that comes in, by its aim and the sources of now.
 *
 * <p>The clocks only say how long it took; no verdict depends on them.
 */
public final class Receiving {

  private final Supplier<Sources> sources;
  private final Telling telling;
  private final InstantSource clock;
  private final LongSupplier nanos;

  public Receiving(
      Supplier<Sources> sources, Telling telling, InstantSource clock, LongSupplier nanos) {
    this.sources = sources;
    this.telling = telling;
    this.clock = clock;
    this.nanos = nanos;
  }

  public Decision<Reception> decide(ReceiveCall call) {
    Sources now = sources.get();
    return switch (call.aim()) {
      case Aim.Act(var target) -> act(call, target, now);
      case Aim.Ask() -> admitted(call, now.hash());
      case Aim.Unservable(var fault) -> unservable(call, fault, now.hash());
    };
  }

  private Decision<Reception> act(ReceiveCall call, String target, Sources now) {
    long from = nanos.getAsLong();
    Sight sight = Visibility.of(target, now);
    Ruling ruling = sight.ruling(TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - from));
    return switch (sight) {
      case Sight.Shown(var source) -> forwarded(call, target, source, ruling, now.hash());
      case Sight.Hidden hidden -> denied(call, target, hidden, ruling, now.hash());
    };
  }

  private static Decision<Reception> forwarded(
      ReceiveCall call, String target, Source source, Ruling ruling, String rulesHash) {
    return new Decision<>(
        List.of(
            received(call, source.id(), target, rulesHash),
            new CallAdmitted(call.callId(), rulesHash, List.of(ruling)),
            new CallForwarded(
                call.callId(), 1, source.id(), source.endpoint(), source.timeoutMillis(), null)),
        new Reception.Forwarded(source));
  }

  private Decision<Reception> denied(
      ReceiveCall call, String target, Sight.Hidden hidden, Ruling ruling, String rulesHash) {
    String source = hidden.source() == null ? null : hidden.source().id();
    Fault fault = new ToolNotExposed(target, source);
    Told told = told(call, fault);
    return new Decision<>(
        List.of(
            received(call, source, target, rulesHash),
            new GateDenied(
                call.callId(), rulesHash, target, call.principal().name(), List.of(ruling)),
            translated(call, target, fault, told)),
        new Reception.Refused(fault, told, hidden.reason()));
  }

  private static Decision<Reception> admitted(ReceiveCall call, String rulesHash) {
    return new Decision<>(
        List.of(
            received(call, null, null, rulesHash),
            new CallAdmitted(call.callId(), rulesHash, List.of())),
        new Reception.Admitted());
  }

  private Decision<Reception> unservable(ReceiveCall call, Fault fault, String rulesHash) {
    Told told = told(call, fault);
    return new Decision<>(
        List.of(received(call, null, null, rulesHash), translated(call, null, fault, told)),
        new Reception.Refused(fault, told, null));
  }

  private Told told(ReceiveCall call, Fault fault) {
    return telling.tell(fault, call.tongue(), call.correlationId());
  }

  private static CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target, String rulesHash) {
    return new CallReceived(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.tongue().dialect(),
        call.tongue().version(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        source,
        target,
        null,
        call.arguments(),
        null,
        rulesHash);
  }

  private ErrorTranslated translated(
      ReceiveCall call, @Nullable String target, Fault fault, Told told) {
    long totalMillis = Duration.between(call.receivedAt(), clock.instant()).toMillis();
    return new ErrorTranslated(
        call.callId(), target, fault, told, 0, null, Math.max(0, totalMillis));
  }
}
