package gatebook.api.wrap;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.events.CallAbandoned.Cause;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pending request of the client, which waits for its response until it ends. */
final class PendingRequest implements CallerConnection {

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

  /** The client no longer waits. */
  void end(Cause cause) {
    ended = cause;
    actions.forEach(action -> run(action, cause));
  }

  /** Runs each action once, even when called concurrently. */
  private void run(Consumer<Cause> action, Cause cause) {
    if (actions.remove(action)) {
      action.accept(cause);
    }
  }
}
