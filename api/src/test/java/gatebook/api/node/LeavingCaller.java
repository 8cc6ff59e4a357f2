package gatebook.api.node;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.events.CallAbandoned.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A caller that disconnects when the test says. */
final class LeavingCaller implements CallerConnection {
  private final List<Consumer<Cause>> actions = new ArrayList<>();
  private boolean hasLeft;

  @Override
  public Watch onDisconnect(Consumer<Cause> action) {
    synchronized (this) {
      if (!hasLeft) {
        actions.add(action);
        return () -> end(action);
      }
    }
    action.accept(Cause.DISCONNECTED);
    return () -> {};
  }

  void leave() {
    List<Consumer<Cause>> all;
    synchronized (this) {
      hasLeft = true;
      all = List.copyOf(actions);
    }
    all.forEach(action -> action.accept(Cause.DISCONNECTED));
  }

  synchronized boolean isWatched() {
    return !actions.isEmpty();
  }

  private synchronized void end(Consumer<Cause> action) {
    actions.remove(action);
  }
}
