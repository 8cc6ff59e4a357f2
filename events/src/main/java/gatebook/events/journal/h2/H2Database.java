package gatebook.events.journal.h2;

import com.zaxxer.hikari.HikariDataSource;
import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.OpenedFile;
import gatebook.events.journal.sql.BatchRecovery;
import gatebook.events.journal.sql.Database;
import gatebook.events.journal.sql.ReadConnections;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.h2.api.ErrorCode;
import org.h2.engine.Constants;

/**
 * The embedded H2 database: one file, used by one process, with a write-ahead log beside it.
 *
 * <p>H2 writes whole pages and forces nothing at commit. So a transaction is made durable by
 * appending its batch to the {@link WriteAheadLog} and forcing that; the database itself is forced
 * by {@code CHECKPOINT SYNC} when the log is long. The first connection adds to the database the
 * batches of the log that it lacks. With {@link Durability#PROCESS} forcing is left to the
 * operating system.
 */
final class H2Database implements Database {
  private static final Map<Integer, String> REFUSALS =
      Map.of(
          ErrorCode.DATABASE_ALREADY_OPEN_1, "is in use by another process: stop that one first",
          ErrorCode.FILE_VERSION_ERROR_1, "was written by another version of the database engine",
          ErrorCode.FILE_CORRUPTED_1, "is damaged: restore it from a copy");

  /** In milliseconds; the largest number that H2 accepts. */
  private static final int NEVER = Integer.MAX_VALUE;

  /** Limits how long recovery from the log takes after a crash. */
  private static final long LOG_BYTES_MAX = 64L << 20;

  static {
    InterruptSafeFileSystem.register();
    OrderedFileSystem.register();
  }

  private final String url;
  private final Path file;
  private final Durability durability;
  private final WriteAheadLog log;
  private final OpenedFile openedFile;
  private final OpenedFile openedLog;
  private final HikariDataSource readers;
  private final PlatformThreads readerThreads;

  /** Whether the open engine holds everything that the log does. */
  private boolean recovered;

  /** False when the log holds events that do not follow those of the database. */
  private boolean logFits = true;

  /**
   * @param fileSystem the H2 file system that reads and writes the files; {@link
   *     InterruptSafeFileSystem} except in tests
   */
  H2Database(String fileSystem, Path file, Durability durability, JournalLimits limits) {
    this.file = file;
    this.durability = durability;
    this.url = url(fileSystem, file, durability);
    this.log = new WriteAheadLog(fileSystem + ":" + file.toAbsolutePath() + ".ahead.db");
    this.openedFile = new OpenedFile(Path.of(file.toAbsolutePath() + ".mv.db"));
    this.openedLog = new OpenedFile(Path.of(file.toAbsolutePath() + ".ahead.db"));
    this.readers = ReadConnections.pool(url, "", "", limits.readersMax());
    this.readerThreads = new PlatformThreads("journal-reader", limits.readersMax());
  }

  /**
   * The retention time is how long H2 does not reuse space after writing it. With its default, 45
   * seconds, the small commits of a single caller grow the file to a gigabyte. With none, a crash
   * between a chunk and the header that points to it can make H2 open an older state without an
   * error: the chain it follows from the old header leads over reused space. With two seconds the
   * twenty versions of that chain are safe from ten commits a second on. A state older than that
   * fails the check at start, which knows a checkpoint at most a second old and how many events
   * were acknowledged. {@link OrderedFileSystem} makes the reuse itself safe.
   *
   * <p>The write delay is how long H2's own thread waits before it writes changes. Here it never
   * writes any, because it reads the roots of the tables one after the other while the writer goes
   * on: after a crash a row may be there without the edge, or the edge without the row. The
   * writer's own thread writes pages, when there are many, between two changes.
   */
  private static String url(String fileSystem, Path file, Durability durability) {
    String scheme =
        switch (durability) {
          case POWER -> OrderedFileSystem.SCHEME + ":" + fileSystem;
          case PROCESS -> fileSystem;
        };
    return "jdbc:h2:%s:%s;WRITE_DELAY=%d;RETENTION_TIME=2000;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
        .formatted(scheme, file.toAbsolutePath(), NEVER);
  }

  @Override
  public void check() throws OpenRefusal, SQLException {
    try {
      connect().close();
    } catch (SQLException e) {
      String refusal = REFUSALS.get(e.getErrorCode());
      if (refusal == null) {
        throw e;
      }
      throw new OpenRefusal("the database " + describe() + " " + refusal);
    }
  }

  @Override
  public void requireExisting() throws OpenRefusal {
    if (!Files.exists(Path.of(describe()))) {
      throw new OpenRefusal("there is no journal: " + describe() + " does not exist");
    }
  }

  @Override
  public int snapshotIsolation() {
    return Constants.TRANSACTION_SNAPSHOT;
  }

  @Override
  public synchronized Connection connect() throws SQLException {
    requireInPlace(); // H2 would create a new file
    Connection connection = DriverManager.getConnection(url);
    try {
      openedFile.remember();
      connection.setAutoCommit(false);
      if (!recovered) {
        recover(connection);
        recovered = true;
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    } catch (IOException e) {
      connection.close();
      throw new SQLException("the write-ahead log of the database cannot be read", e);
    }
  }

  private void requireInPlace() throws SQLException {
    try {
      openedFile.requireInPlace();
      openedLog.requireInPlace();
    } catch (IOException e) {
      throw new SQLException(e.getMessage(), e);
    }
  }

  private void recover(Connection connection) throws SQLException, IOException {
    if (!hasJournal(connection)) {
      log.erase(); // it belongs to another database
      return;
    }
    List<CommittedBatch> batches = log.read();
    logFits = batches.isEmpty() || BatchRecovery.addMissing(this, connection, batches);
    connection.commit();
    if (logFits) {
      force(connection);
    }
  }

  private static boolean hasJournal(Connection connection) throws SQLException {
    try (ResultSet tables = connection.getMetaData().getTables(null, null, "JOURNAL_EDGE", null)) {
      return tables.next();
    }
  }

  @Override
  public Connection connectToWrite() throws SQLException {
    return connect(); // no other process can block it
  }

  @Override
  public <T> T read(ConnectionReader<T> connectionReader) throws SQLException {
    return readerThreads.run(() -> {
      ensureRecovered();
      try (Connection connection = readers.getConnection()) {
        return connectionReader.read(connection);
      }
    });
  }

  /** A pooled connection may be the first that opens the engine after a failure. */
  private synchronized void ensureRecovered() throws SQLException {
    if (!recovered) {
      connect().close();
    }
  }

  @Override
  public String schemaResource() {
    return "h2.sql";
  }

  @Override
  public void lockSchema(Connection connection) {
    // H2 locks the file: no other process has it open
  }

  @Override
  public void notifyOthers(Connection connection, long head) {
    // no other process has the file open
  }

  @Override
  public Runnable followOthers(LongConsumer onAppend) {
    return () -> {}; // no other process appends
  }

  @Override
  public void force(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          switch (durability) {
            case POWER -> "CHECKPOINT SYNC";
            case PROCESS -> "CHECKPOINT";
          });
    }
    if (logFits) {
      log.restart();
    }
  }

  @Override
  public void makeDurable(Connection connection, CommittedBatch batch) throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    requireInPlace();
    if (!logFits || log.bytes() > LOG_BYTES_MAX) {
      force(connection);
      return;
    }
    try {
      log.append(batch);
      openedLog.remember();
      if (durability == Durability.POWER) {
        log.force();
      }
    } catch (IOException e) {
      throw new SQLException("the write-ahead log of the database cannot be written", e);
    }
  }

  @Override
  public void finish(Connection connection) throws SQLException {
    force(connection);
    if (logFits) {
      eraseLog();
    }
  }

  @Override
  public void startOver(Connection connection) throws SQLException {
    force(connection);
    eraseLog();
    logFits = true;
  }

  private void eraseLog() throws SQLException {
    try {
      log.erase();
    } catch (IOException e) {
      throw new SQLException("the write-ahead log of the database cannot be erased", e);
    }
  }

  @Override
  public synchronized void abandon(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      // after a file failure the engine has closed the database itself, and reports that here
    }
    recovered = false;
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public long bytes() throws SQLException {
    Path ahead = Path.of(file + ".ahead.db");
    try {
      return Files.size(Path.of(describe())) + (Files.exists(ahead) ? Files.size(ahead) : 0);
    } catch (IOException e) {
      throw new SQLException("the size of the database's file cannot be read", e);
    }
  }

  @Override
  public String describe() {
    return file + ".mv.db";
  }

  @Override
  public synchronized void close() {
    readerThreads.close();
    readers.close();
    log.close();
  }
}
