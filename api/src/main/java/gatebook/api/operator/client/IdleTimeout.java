package gatebook.api.operator.client;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Closes a connection on which nothing was heard for too long: its other side may be gone. */
final class IdleTimeout implements AutoCloseable {
  private final Thread watch;
  private volatile long heardNanos = System.nanoTime();

  private IdleTimeout(Duration max, Closeable connection) {
    this.watch = Thread.ofVirtual().unstarted(() -> watch(max, connection));
  }

  static IdleTimeout endsAfter(Duration max, Closeable connection) {
    IdleTimeout idleTimeout = new IdleTimeout(max, connection);
    idleTimeout.watch.start();
    return idleTimeout;
  }

  /** Something was heard. */
  void broken() {
    heardNanos = System.nanoTime();
  }

  private void watch(Duration max, Closeable connection) {
    try {
      for (Duration left = max; left.isPositive(); left = left(max)) {
        Thread.sleep(left);
      }
      connection.close();
    } catch (InterruptedException _) {
      // it is over
    } catch (IOException _) {
      // it was closed already
    }
  }

  private Duration left(Duration max) {
    return max.minusNanos(System.nanoTime() - heardNanos);
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
