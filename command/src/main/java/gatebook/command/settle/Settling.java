package gatebook.command.settle;

import gatebook.command.Decision;
import gatebook.command.NamesInFaults;
import gatebook.command.Telling;
import gatebook.command.keep.Keepers;
import gatebook.command.settle.SettleCall.Ending;
import gatebook.events.CallAnswered;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Decides how a call ended; the clock only says how long it took. */
public final class Settling {

  private final Keepers keepers;
  private final Telling telling;
  private final InstantSource clock;

  public Settling(Keepers keepers, Telling telling, InstantSource clock) {
    this.keepers = keepers;
    this.telling = telling;
    this.clock = clock;
  }

  public Decision<Settlement> decide(SettleCall call) {
    return switch (call.ending()) {
      case Ending.Result result -> answered(call, result);
      case Ending.Failure failure -> failed(call, failure);
    };
  }

  private Decision<Settlement> answered(SettleCall call, Ending.Result result) {
    return new Decision<>(
        List.of(
            new CallAnswered(
                call.callId(),
                result.outcome(),
                keepers.of(result.rules()).keepResult(result.text()),
                call.attempts(),
                call.upstreamMillis(),
                totalMillis(call),
                result.missing().isEmpty() ? null : result.missing())),
        new Settlement.Answered());
  }

  private Decision<Settlement> failed(SettleCall call, Ending.Failure failure) {
    Fault fault = failure.fault();
    Told told = telling.tell(fault, call.tongue(), call.correlationId());
    Fault named = NamesInFaults.scrubbed(fault, telling.names());
    String target = call.target();
    return new Decision<>(
        List.of(
            new ErrorTranslated(
                call.callId(),
                target == null ? null : telling.names().scrub(target),
                named,
                told,
                call.attempts(),
                call.upstreamMillis(),
                totalMillis(call),
                failure.firstToldTo())),
        new Settlement.Failed(named, told));
  }

  private long totalMillis(SettleCall call) {
    return Math.max(0, Duration.between(call.receivedAt(), clock.instant()).toMillis());
  }
}
