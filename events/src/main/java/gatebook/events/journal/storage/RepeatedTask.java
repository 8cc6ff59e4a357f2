package gatebook.events.journal.storage;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A task that a thread of its own runs from its start on, again and again, with the same pause
 * after each run. The thread does not keep the process alive.
 */
public final class RepeatedTask implements AutoCloseable {
  private final Duration pause;
  private final Run run;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** One run of the task. */
  @FunctionalInterface
  public interface Run {
    void run() throws InterruptedException;
  }

  public RepeatedTask(String name, Duration pause, Run run) {
    this.pause = pause;
    this.run = run;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::repeat);
  }

  public RepeatedTask start() {
    thread.start();
    return this;
  }

  private void repeat() {
    try {
      do {
        run.run();
      } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the run of now is the last one. */
  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Ends after a run of now: an interrupt would close the files that it writes. */
  @Override
  public void close() {
    closed.countDown();
  }

  /** Closes it, and returns when it does not run any longer. */
  public void closeAndWait() {
    close();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
