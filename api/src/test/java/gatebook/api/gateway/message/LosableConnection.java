package gatebook.api.gateway.message;

import gatebook.events.CallAbandoned.Cause;
import java.util.function.Consumer;

/** A connection that the test can lose. */
public final class LosableConnection implements CallerConnection {
  private Consumer<Cause> action = _ -> {};
  private boolean watched;
  private boolean closed;

  @Override
  public Watch onDisconnect(Consumer<Cause> newAction) {
    action = newAction;
    watched = true;
    return () -> watched = false;
  }

  @Override
  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  public boolean isWatched() {
    return watched;
  }

  public void lose() {
    action.accept(Cause.DISCONNECTED);
  }
}
