package gatebook.api.gateway.message;

import gatebook.events.CallAbandoned.Cause;
import java.util.function.Consumer;

/** A connection that the test can lose. */
public final class LosableConnection implements CallerConnection {
  private Consumer<Cause> action = _ -> {};
  private boolean watched;

  @Override
  public Watch onDisconnect(Consumer<Cause> newAction) {
    action = newAction;
    watched = true;
    return () -> watched = false;
  }

  public boolean isWatched() {
    return watched;
  }

  public void lose() {
    action.accept(Cause.DISCONNECTED);
  }
}
