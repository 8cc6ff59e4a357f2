package gatebook.command.call;

import gatebook.events.CallAbandoned;
import gatebook.events.CallOrphaned;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Closes calls that have not ended; the outcome is whether there was anything to close. */
public final class AbandonDecider {

  private AbandonDecider() {}

  public static Decision<Boolean> decide(AbandonCall command, CallState soFar) {
    return closed(
        soFar,
        new CallAbandoned(
            command.callId(),
            command.cause(),
            soFar.forwarded(),
            millis(command.receivedAt(), command.at())));
  }

  /**
   * Who was waiting for a person was not answered; what became of other calls is unknown. A task
   * that waits for a person goes on: nothing holds it but the journal.
   */
  public static Decision<Boolean> decide(OrphanCall command, CallState soFar) {
    if (soFar.task() != null && !soFar.forwarded()) {
      return new Decision<>(List.of(), false);
    }
    return closed(
        soFar,
        soFar.approval() != null && !soFar.forwarded()
            ? new CallAbandoned(
                command.callId(),
                CallAbandoned.Cause.RESTARTED,
                false,
                soFar.received() == null ? 0 : millis(soFar.received().receivedAt(), command.at()))
            : new CallOrphaned(command.callId(), command.deadNode(), soFar.forwarded()));
  }

  public static Decision<Boolean> decide(CloseCall command, CallState soFar) {
    return closed(
        soFar,
        new ErrorTranslated(
            command.callId(),
            command.target(),
            command.fault(),
            command.told(),
            soFar.attempts(),
            null,
            millis(command.receivedAt(), command.at())));
  }

  private static Decision<Boolean> closed(CallState soFar, Event end) {
    return soFar.received() != null && !soFar.ended()
        ? new Decision<>(List.of(end), true)
        : new Decision<>(List.of(), false);
  }

  private static long millis(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis());
  }
}
