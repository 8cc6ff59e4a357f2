package gatebook.api.flow.run;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.events.CallAbandoned.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The connection of a task to the call of its tool: it is lost when the task is cancelled. */
final class RunConnection implements CallerConnection {
  private final List<Consumer<Cause>> actions = new ArrayList<>();
  private boolean cancelled;

  @Override
  public Watch onDisconnect(Consumer<Cause> action) {
    synchronized (this) {
      if (!cancelled) {
        actions.add(action);
        return () -> remove(action);
      }
    }
    action.accept(Cause.CANCELLED);
    return () -> {};
  }

  private synchronized void remove(Consumer<Cause> action) {
    actions.remove(action);
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Completed after this time, or at once when the task is cancelled. */
  CompletableFuture<Void> pause(Duration duration) {
    CompletableFuture<Void> pause =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, Math.max(0, duration.toMillis()), TimeUnit.MILLISECONDS);
    Watch watch = onDisconnect(_ -> pause.complete(null));
    return pause.thenRun(watch::end);
  }

  /** Stops the call. */
  void cancel() {
    List<Consumer<Cause>> toRun;
    synchronized (this) {
      cancelled = true;
      toRun = List.copyOf(actions);
      actions.clear();
    }
    toRun.forEach(action -> action.accept(Cause.CANCELLED));
  }
}
