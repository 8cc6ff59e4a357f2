package gatebook.query.projection;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that a view could not handle, parked so that the view can continue with other calls.
 *
 * @param callId absent when the event belongs to no call
 * @param treeId absent when the event belongs to no tree
 * @param error the error of the newest attempt; absent when the event only waits for an earlier
 *     event of its call
 * @param attempts how often the view tried to project the event
 */
public record ParkedEvent(
    long position,
    @Nullable UUID callId,
    @Nullable UUID treeId,
    String name,
    Instant at,
    @Nullable String error,
    Instant parkedAt,
    int attempts) {

  /** The result of retrying a parked event. */
  public sealed interface RetryResult {
    /**
     * The event was projected, and so were the events parked behind it, up to the first that
     * failed.
     */
    record Done() implements RetryResult {}

    /** The event failed again and stays parked. */
    record Failed(String error) implements RetryResult {}

    /** An earlier event of the same call has to be retried first. */
    record Blocked(long byPosition) implements RetryResult {}

    /** Nothing is parked at this position. */
    record NotParked() implements RetryResult {}
  }
}
