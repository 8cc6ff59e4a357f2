package gatebook.api.gateway;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Progress of one call, shared by the steps of its pipeline. */
final class CallProgress {

  /** Set once, by the response or by the caller's disconnect. */
  private final AtomicBoolean ended = new AtomicBoolean();

  private volatile Point point = new Point(false, null, 0);

  /**
   * How far the call has come.
   *
   * @param received whether the journal has its beginning
   * @param attempts to forward it, the one under way included
   */
  record Point(boolean received, @Nullable String target, int attempts) {}

  Point point() {
    return point;
  }

  void receive(@Nullable String target) {
    point = new Point(true, target, 0);
  }

  void attempt(int attempts) {
    point = new Point(true, point.target, attempts);
  }

  boolean hasEnded() {
    return ended.get();
  }

  /** Ends the call, and returns whether it had not ended before. */
  boolean end() {
    return ended.compareAndSet(false, true);
  }
}
