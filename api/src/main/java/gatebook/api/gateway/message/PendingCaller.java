package gatebook.api.gateway.message;

import gatebook.events.CallAbandoned.Cause;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A caller that waits for the responses to its calls, until its transport ends the wait. */
public final class PendingCaller implements CallerConnection {

  private final List<Consumer<Cause>> actions = new CopyOnWriteArrayList<>();
  private volatile @Nullable Cause ended;

  @Override
  public Watch onDisconnect(Consumer<Cause> action) {
    actions.add(action);
    Cause cause = ended;
    if (cause != null) {
      run(action, cause);
    }
    return () -> actions.remove(action);
  }

  /** The caller no longer waits. */
  public void end(Cause cause) {
    ended = cause;
    actions.forEach(action -> run(action, cause));
  }

  /** Whether the caller no longer waits. */
  public boolean hasEnded() {
    return ended != null;
  }

  /** Runs each action once, even when called concurrently. */
  private void run(Consumer<Cause> action, Cause cause) {
    if (actions.remove(action)) {
      action.accept(cause);
    }
  }
}
