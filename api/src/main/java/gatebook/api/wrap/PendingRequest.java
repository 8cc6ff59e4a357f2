package gatebook.api.wrap;

import gatebook.api.gateway.CallerConnection;
import gatebook.events.CallAbandoned.Cause;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether the client still waits for the answer to one of its requests. */
final class PendingRequest implements CallerConnection {

  private final List<Consumer<Cause>> actions = new CopyOnWriteArrayList<>();
  private volatile @Nullable Cause over;

  @Override
  public Watch whenGone(Consumer<Cause> action) {
    actions.add(action);
    Cause cause = over;
    if (cause != null) {
      run(action, cause);
    }
    return () -> actions.remove(action);
  }

  /** It does no longer. */
  void end(Cause cause) {
    over = cause;
    actions.forEach(action -> run(action, cause));
  }

  /** Each once, whoever comes first. */
  private void run(Consumer<Cause> action, Cause cause) {
    if (actions.remove(action)) {
      action.accept(cause);
    }
  }
}
