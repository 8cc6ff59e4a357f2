package gatebook.api.gateway.message;

import gatebook.events.CallAbandoned.Cause;
import java.util.function.Consumer;

/** The connection of a caller, which may be lost while its call runs. */
@FunctionalInterface
public interface CallerConnection {

  /** A connection whose loss cannot be observed. */
  CallerConnection UNOBSERVED = _ -> () -> {};

  /**
   * Runs an action when the caller disconnects, at once if it has, unless the watch ends before.
   */
  Watch onDisconnect(Consumer<Cause> action);

  /** Closes the connection, where that is possible. */
  default void close() {}

  /** The same connection, lost as soon as its transport is, even if the caller may reconnect. */
  default CallerConnection strict() {
    return this;
  }

  /** A registered action, which can be cancelled. */
  @FunctionalInterface
  interface Watch {
    void end();
  }
}
