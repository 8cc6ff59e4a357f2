package gatebook.events.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from the database that another process appended, and has those events shown.
 *
 * <p>What was said while nobody listened is made up for by asking once for the head after every
 * connect.
 */
final class AppendNotifications {
  private static final Logger log = LoggerFactory.getLogger(AppendNotifications.class);
  private static final int LISTEN_MILLIS = 100;
  private static final long RECONNECT_MILLIS = 500;

  private final PostgresDatabase database;
  private final Journal journal;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("journal-announcements").unstarted(this::run);

  AppendNotifications(PostgresDatabase database, Journal journal) {
    this.database = database;
    this.journal = journal;
  }

  void start() {
    thread.start();
  }

  void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    do {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(true);
        listen(connection);
      } catch (SQLException | RuntimeException | Error e) {
        log.atDebug().setCause(e).log("announcements of other nodes are not heard for now");
      }
    } while (!closedWithin(RECONNECT_MILLIS));
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + PostgresDatabase.CHANNEL);
    }
    journal.catchUp(edgeSize(connection));
    PGConnection listening = connection.unwrap(PGConnection.class);
    while (!closedWithin(0)) {
      PGNotification[] heard = listening.getNotifications(LISTEN_MILLIS);
      if (heard != null && heard.length > 0) {
        journal.catchUp(Long.parseLong(heard[heard.length - 1].getParameter()));
      }
    }
  }

  private static long edgeSize(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT size FROM journal_edge WHERE one = 1");
        ResultSet row = select.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private boolean closedWithin(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
