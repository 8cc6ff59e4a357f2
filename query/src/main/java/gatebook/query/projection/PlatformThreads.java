package gatebook.query.projection;

import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for every use of an H2 database: a virtual thread must not wait in it.
 *
 * <p>In H2 2.4.240 a thread that reads a page which is being saved repeats that until the page is
 * saved, and never blocks. As many virtual threads as there are processors can occupy all of them.
 * The thread that saves then waits for a lock behind another virtual thread, which never runs.
 */
public final class PlatformThreads implements AutoCloseable {
  private static final long IDLE_SECONDS_MAX = 10;

  private final ThreadPoolExecutor threads;

  /** Uses a database. */
  @FunctionalInterface
  public interface DatabaseUse<T> {
    T run() throws SQLException;
  }

  /**
   * @param name the start of the threads' names
   * @param max how many of them run at the same time; other virtual threads wait
   */
  public PlatformThreads(String name, int max) {
    this.threads =
        new ThreadPoolExecutor(
            max,
            max,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs on this thread, unless it is a virtual one: that waits for a platform thread to run it,
   * even when it is interrupted meanwhile.
   */
  public <T> T run(DatabaseUse<T> databaseUse) throws SQLException {
    if (!Thread.currentThread().isVirtual()) {
      return databaseUse.run();
    }
    return await(submit(databaseUse));
  }

  private <T> Future<T> submit(DatabaseUse<T> databaseUse) throws SQLException {
    try {
      return threads.submit(databaseUse::run);
    } catch (RejectedExecutionException e) {
      throw new SQLException("the database is closed", e);
    }
  }

  private static <T> T await(Future<T> result) throws SQLException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static SQLException thrown(@Nullable Throwable cause) {
    return switch (cause) {
      case SQLException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new IllegalStateException(cause);
    };
  }

  /** Ends the threads once they are done. Later uses by virtual threads fail. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
