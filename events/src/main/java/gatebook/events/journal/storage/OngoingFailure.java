package gatebook.events.journal.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ongoing failure of an operation that is retried. It is logged when it begins and when its
 * reason changes, not at each attempt. Any thread may use it.
 */
public final class OngoingFailure {
  private @Nullable String reason;
  private long attempts;

  /** Whether the attempt before did not fail for this reason. */
  public synchronized boolean isNew(String newReason) {
    boolean isNew = !Objects.equals(reason, newReason);
    reason = newReason;
    attempts++;
    return isNew;
  }

  /** How many attempts failed so far. */
  public synchronized long attempts() {
    return attempts;
  }

  /** An attempt succeeded. */
  public synchronized void end() {
    reason = null;
  }
}
