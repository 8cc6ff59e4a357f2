package gatebook.events.journal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure of something that is tried again and again: the log has a line when it begins or has
 * another reason, and none for each attempt. Any thread may use it.
 */
public final class RepeatedFailure {
  private @Nullable String reason;

  /** Whether the attempt before did not fail for this reason. */
  public synchronized boolean isNew(String newReason) {
    boolean isNew = !Objects.equals(reason, newReason);
    reason = newReason;
    return isNew;
  }

  /** An attempt succeeded. */
  public synchronized void end() {
    reason = null;
  }
}
