package gatebook.api.stdio;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.events.CallAbandoned;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one caller of a stdio process; it is disconnected when the frame loop ends. */
final class StdioCaller implements CallerConnection {

  private final List<Consumer<CallAbandoned.Cause>> actions = new CopyOnWriteArrayList<>();

  /** Why the caller does not wait for the current call; absent while it does. */
  private volatile CallAbandoned.@Nullable Cause abandoned;

  @Override
  public Watch onDisconnect(Consumer<CallAbandoned.Cause> action) {
    actions.add(action);
    CallAbandoned.Cause cause = abandoned;
    if (cause != null && actions.remove(action)) {
      action.accept(cause);
    }
    return () -> actions.remove(action);
  }

  /** The caller waits for another call. */
  void await() {
    abandoned = null;
  }

  /** The caller no longer waits for the current call. */
  void abandon(CallAbandoned.Cause cause) {
    abandoned = cause;
    for (Consumer<CallAbandoned.Cause> action : List.copyOf(actions)) {
      if (actions.remove(action)) {
        action.accept(cause);
      }
    }
  }
}
