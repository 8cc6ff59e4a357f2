package gatebook.api.gateway;

import gatebook.events.CallAbandoned.Cause;
import java.util.function.Consumer;

/** Whether a caller is still there. */
@FunctionalInterface
public interface CallerConnection {

  /** One who cannot be seen to go. */
  CallerConnection UNSEEN = _ -> () -> {};

  /** Runs an action once the caller is gone, at once if it is, unless the watch ends before. */
  Watch whenGone(Consumer<Cause> action);

  /** The same of one who is gone as soon as his connection is, even if he may come back. */
  default CallerConnection strict() {
    return this;
  }

  /** Looks out for one caller. */
  @FunctionalInterface
  interface Watch {
    void end();
  }
}
