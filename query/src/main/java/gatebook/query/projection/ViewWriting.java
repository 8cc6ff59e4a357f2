package gatebook.query.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writing to the database of the views: one change at a time, and the file is saved between two
 * changes only.
 *
 * <p>The engine collects what it saves table by table. What it saves beside a change has one table
 * from before a commit and another from after it, and a process that is killed then leaves views
 * that are wrong without an error.
 */
final class ViewWriting implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ViewWriting.class);

  /** The setting of the engine by which it saves nothing by itself, for 24 days. */
  static final String ENGINE_SETTING = "WRITE_DELAY=" + Integer.MAX_VALUE;

  /** Parts of the file with less than this percentage in use are written anew. */
  private static final int FILL_PERCENT_MIN = 60;

  private static final int COMPACTED_BYTES_MAX = 4 * 1024 * 1024;
  private static final long STOP_SECONDS_MAX = 10;

  private final Supplier<Connection> database;

  /** Fair, so that a build that is far behind does not delay the others by more than a page. */
  private final Semaphore turn = new Semaphore(1, true);

  private final ScheduledExecutorService saver =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("view-saver").factory());

  /** A change of the database. */
  @FunctionalInterface
  interface Change<T> {
    T apply() throws SQLException;
  }

  /** Saves the database at this interval, as long as its connection is open. */
  ViewWriting(Supplier<Connection> database, long saveMillis) {
    this.database = database;
    var _ = saver.scheduleWithFixedDelay(this::save, saveMillis, saveMillis, TimeUnit.MILLISECONDS);
  }

  /** Makes a change in its turn. Not within another change. */
  <T> T change(Change<T> change) throws SQLException {
    turn.acquireUninterruptibly();
    try {
      return change.apply();
    } finally {
      turn.release();
    }
  }

  /** Ends a connection, which rolls back what it has not committed. */
  void close(Connection connection) {
    finish(() -> {
      try {
        connection.close();
      } catch (SQLException _) {
        // the connection was closed before
      }
    });
  }

  /** Makes a last change, in a turn if there is one in time. */
  void finish(Runnable last) {
    boolean hasTurn = awaitTurn();
    try {
      last.run();
    } finally {
      if (hasTurn) {
        turn.release();
      }
    }
  }

  /** A change that never ends does not keep a process from stopping. */
  private boolean awaitTurn() {
    try {
      return turn.tryAcquire(STOP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void save() {
    try {
      change(() -> {
        Connection open = database.get();
        if (!open.isClosed()) {
          save(open);
        }
        return true;
      });
    } catch (SQLException | RuntimeException e) {
      // the next change finds the database closed, and opens it again
      log.atDebug().setCause(e).log("the views were not saved");
    }
  }

  private static void save(Connection open) throws SQLException {
    SessionLocal session = (SessionLocal) open.unwrap(JdbcConnection.class).getSession();
    MVStore store = session.getDatabase().getStore().getMvStore();
    if (store.hasUnsavedChanges()) {
      // waits, since compacting beside a save counts pages as free that the saved state still uses
      store.commit();
      store.compact(FILL_PERCENT_MIN, COMPACTED_BYTES_MAX);
    }
  }

  /** Saves nothing any more. */
  @Override
  public void close() {
    saver.shutdown();
  }
}
