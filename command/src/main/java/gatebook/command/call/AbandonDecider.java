package gatebook.command.call;

import gatebook.events.CallAbandoned;
import gatebook.events.CallOrphaned;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Decides the commands that abandon or otherwise close an open call. The outcome says whether the
 * call was still open.
 */
public final class AbandonDecider {

  private AbandonDecider() {}

  public static Decision<Boolean> decide(AbandonCall command, CallState state) {
    return close(
        state,
        new CallAbandoned(
            command.callId(),
            command.cause(),
            state.isForwarded(),
            millis(command.receivedAt(), command.at())));
  }

  /**
   * A call that waited for an approval ends as abandoned: its caller got no response. Any other
   * call ends as orphaned: its outcome is unknown. A task that was not forwarded stays open: only
   * the journal holds it, no process does.
   */
  public static Decision<Boolean> decide(OrphanCall command, CallState state) {
    if (state.task() != null && !state.isForwarded()) {
      return new Decision<>(List.of(), false);
    }
    return close(
        state,
        state.approval() != null && !state.isForwarded()
            ? new CallAbandoned(
                command.callId(),
                CallAbandoned.Cause.RESTARTED,
                false,
                state.received() == null ? 0 : millis(state.received().receivedAt(), command.at()))
            : new CallOrphaned(command.callId(), command.deadNode(), state.isForwarded()));
  }

  public static Decision<Boolean> decide(CloseUnrecordedCall command, CallState state) {
    return close(
        state,
        new ErrorTranslated(
            command.callId(),
            command.target(),
            command.fault(),
            command.errorResponse(),
            state.attempts(),
            null,
            millis(command.receivedAt(), command.at())));
  }

  private static Decision<Boolean> close(CallState state, Event end) {
    return state.received() != null && !state.hasEnded()
        ? new Decision<>(List.of(end), true)
        : new Decision<>(List.of(), false);
  }

  private static long millis(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis());
  }
}
