package gatebook.events.journal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the database's notifications that another process appended, and calls back with the
 * new head.
 *
 * <p>Notifications sent while there was no connection are lost; reading the head once after every
 * connect makes up for them.
 */
final class AppendNotifications {
  private static final Logger log = LoggerFactory.getLogger(AppendNotifications.class);
  private static final int LISTEN_MILLIS = 100;
  private static final long RECONNECT_MILLIS = 500;

  private final PostgresDatabase database;
  private final LongConsumer onAppend;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("journal-notifications").unstarted(this::run);

  AppendNotifications(PostgresDatabase database, LongConsumer onAppend) {
    this.database = database;
    this.onAppend = onAppend;
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
        log.atDebug()
            .setCause(e)
            .log("not connected to receive notifications of other nodes; trying again");
      }
    } while (!closedWithin(RECONNECT_MILLIS));
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + PostgresDatabase.CHANNEL);
    }
    onAppend.accept(storedHead(connection));
    PGConnection listening = connection.unwrap(PGConnection.class);
    while (!closedWithin(0)) {
      PGNotification[] received = listening.getNotifications(LISTEN_MILLIS);
      if (received != null && received.length > 0) {
        onAppend.accept(highest(received));
      }
    }
  }

  /** The last one may be of another journal, whose rows are in another schema of the database. */
  private static long highest(PGNotification[] received) {
    return Stream.of(received).mapToLong(it -> Long.parseLong(it.getParameter())).max().orElse(0);
  }

  private static long storedHead(Connection connection) throws SQLException {
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
