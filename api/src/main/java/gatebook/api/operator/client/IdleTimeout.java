package gatebook.api.operator.client;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Closes a connection that was idle for longer than a timeout: its peer may be gone. */
final class IdleTimeout implements AutoCloseable {
  private final Thread watcher;
  private volatile long lastReadNanos = System.nanoTime();

  private IdleTimeout(Duration max, Closeable connection) {
    this.watcher = Thread.ofVirtual().unstarted(() -> watch(max, connection));
  }

  static IdleTimeout start(Duration max, Closeable connection) {
    IdleTimeout idleTimeout = new IdleTimeout(max, connection);
    idleTimeout.watcher.start();
    return idleTimeout;
  }

  /** Restarts the timeout, because something was received. */
  void reset() {
    lastReadNanos = System.nanoTime();
  }

  private void watch(Duration max, Closeable connection) {
    try {
      for (Duration left = max; left.isPositive(); left = left(max)) {
        Thread.sleep(left);
      }
      connection.close();
    } catch (InterruptedException _) {
      // closed before the timeout
    } catch (IOException _) {
      // already closed
    }
  }

  private Duration left(Duration max) {
    return max.minusNanos(System.nanoTime() - lastReadNanos);
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
