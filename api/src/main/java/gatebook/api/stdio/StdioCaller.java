package gatebook.api.stdio;

import gatebook.api.gateway.CallerConnection;
import gatebook.events.CallAbandoned;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The one caller of a stdio process; it is disconnected when the frame loop ends. */
final class StdioCaller implements CallerConnection {

  private final List<Consumer<CallAbandoned.Cause>> actions = new CopyOnWriteArrayList<>();
  private volatile boolean gone;

  @Override
  public Watch onDisconnect(Consumer<CallAbandoned.Cause> action) {
    actions.add(action);
    if (gone && actions.remove(action)) {
      action.accept(CallAbandoned.Cause.DISCONNECTED);
    }
    return () -> actions.remove(action);
  }

  void disconnect() {
    gone = true;
    for (Consumer<CallAbandoned.Cause> action : List.copyOf(actions)) {
      if (actions.remove(action)) {
        action.accept(CallAbandoned.Cause.DISCONNECTED);
      }
    }
  }
}
