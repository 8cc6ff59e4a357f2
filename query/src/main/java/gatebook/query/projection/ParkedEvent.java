package gatebook.query.projection;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that a view could not take in, put aside so that the view goes on for other calls.
 *
 * @param callId absent where the event is about no call
 * @param error what went wrong with it; absent where it only waits for an earlier one of its call
 * @param attempts how often it was tried
 */
public record ParkedEvent(
    long position,
    @Nullable UUID callId,
    String name,
    Instant at,
    @Nullable String error,
    Instant parkedAt,
    int attempts) {

  /** What came of another attempt. */
  public sealed interface Attempt {
    /** It is in the view now, and so is what waited for it, as far as that could be. */
    record Done() implements Attempt {}

    /** It stays where it is. */
    record Failed(String error) implements Attempt {}

    /** An earlier event of its call has to go first. */
    record Waits(long forPosition) implements Attempt {}

    /** Nothing is parked at this position. */
    record None() implements Attempt {}
  }
}
