package gatebook.events.journal;

import com.zaxxer.hikari.HikariDataSource;
import gatebook.events.journal.tree.RightEdge;
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
import java.util.Optional;
import org.h2.api.ErrorCode;
import org.h2.engine.Constants;

/**
 * The embedded database: one file, one process, and a log ahead of it.
 *
 * <p>H2 writes whole pages, and forces nothing at commit. So a transaction is made durable by
 * writing what it added to the {@link WriteAheadLog} and forcing that; the database itself is
 * forced by {@code CHECKPOINT SYNC} when the log is long. Whoever opens the database first puts
 * into it what it lacks of the log. With {@link Durability#PROCESS} forcing is left to the
 * operating system.
 */
final class H2Database implements Database {
  private static final Map<Integer, String> REFUSALS =
      Map.of(
          ErrorCode.DATABASE_ALREADY_OPEN_1, "is in use by another process: stop that one first",
          ErrorCode.FILE_VERSION_ERROR_1, "was written by another version of the database engine",
          ErrorCode.FILE_CORRUPTED_1, "is damaged: restore it from a copy");

  /** In milliseconds; the largest number that H2 takes. */
  static final int NEVER = Integer.MAX_VALUE;

  /** A longer log is not worth what putting it into the database would take after a crash. */
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

  /** Whether the open engine holds what the log does. */
  private boolean caughtUp;

  /** Whether the log holds events that the database has no place for. */
  private boolean unplaced;

  /**
   * @param fileSystem the file system of H2 that does the work; {@link InterruptSafeFileSystem} but
   *     in tests
   */
  H2Database(String fileSystem, Path file, Durability durability, JournalLimits limits) {
    this.file = file;
    this.durability = durability;
    this.url = url(fileSystem, file, durability);
    this.log = new WriteAheadLog(fileSystem + ":" + file.toAbsolutePath() + ".ahead.db");
    this.openedFile = new OpenedFile(Path.of(file.toAbsolutePath() + ".mv.db"));
    this.openedLog = new OpenedFile(Path.of(file.toAbsolutePath() + ".ahead.db"));
    this.readers = ReadConnections.pool(url, "", "", limits.readersMax());
  }

  /**
   * The retention time is how long H2 leaves space alone after writing it. Its default, 45 seconds,
   * lets a lone caller's small commits pile up to a gigabyte. Without any, a crash between a chunk
   * and the header that points to it can make H2 settle for an older state without a word: the
   * chain it follows from the old header leads over reused space. With two seconds the twenty
   * versions of that chain are safe from ten commits a second on. A state older than that fails the
   * check at start, which knows a checkpoint at most a second old and how much was acknowledged.
   * {@link OrderedFileSystem} makes the reuse itself safe.
   *
   * <p>The write delay is after how long H2's own thread writes what has changed. It never does,
   * because it takes the roots of the tables one after the other while the writer goes on: after a
   * crash a row may be there without the edge, or the edge without the row. The writer's own thread
   * writes pages, when there are many, between two changes.
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
    requireInPlace(); // H2 would make a new one
    Connection connection = DriverManager.getConnection(url);
    try {
      openedFile.opened();
      connection.setAutoCommit(false);
      if (!caughtUp) {
        catchUp(connection);
        caughtUp = true;
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    } catch (IOException e) {
      connection.close();
      throw new SQLException("the log ahead of the database cannot be read", e);
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

  private void catchUp(Connection connection) throws SQLException, IOException {
    if (!hasJournal(connection)) {
      log.erase(); // it was ahead of another database
      return;
    }
    List<CommittedBatch> additions = log.read();
    unplaced = !additions.isEmpty() && !place(additions, new WriterSession(this, connection));
    connection.commit();
    if (!unplaced) {
      force(connection);
    }
  }

  /** Whether the database now holds all of it. */
  private static boolean place(List<CommittedBatch> additions, WriterSession writerSession)
      throws SQLException {
    Optional<RightEdge> edge = writerSession.edge();
    return edge.isPresent() && place(additions, writerSession, edge.get());
  }

  private static boolean place(
      List<CommittedBatch> additions, WriterSession writerSession, RightEdge edge)
      throws SQLException {
    StoredCheckpoint newest = writerSession.newestCheckpoint();
    Missing missing = new Missing(edge.size(), newest == null ? 0 : newest.number());
    for (CommittedBatch committedBatch : additions) {
      if (missing.isNext(committedBatch)) {
        add(committedBatch, writerSession, edge);
        missing = missing.after(committedBatch);
      }
    }
    writerSession.moveEdge(edge);
    Missing rest = missing;
    return additions.stream().noneMatch(rest::isBehind);
  }

  private static void add(
      CommittedBatch committedBatch, WriterSession writerSession, RightEdge edge)
      throws SQLException {
    if (!committedBatch.entries().isEmpty()) {
      committedBatch.entries().forEach(entry -> edge.append(entry.leaf()));
      writerSession.insert(committedBatch.entries());
    }
    if (committedBatch.checkpoint() != null) {
      writerSession.insertCheckpoint(committedBatch.checkpoint());
    }
  }

  /**
   * What the database lacks. One that fell back behind the beginning of the log lacks something
   * else: then nothing is next, the check at start finds what is missing, and the log stays.
   */
  private record Missing(long afterPosition, long afterCheckpoint) {
    boolean isNext(CommittedBatch committedBatch) {
      return committedBatch.entries().isEmpty()
          ? committedBatch.checkpoint() != null
              && committedBatch.checkpoint().number() == afterCheckpoint + 1
              && committedBatch.checkpoint().size() == afterPosition
          : committedBatch.entries().getFirst().position() == afterPosition + 1;
    }

    boolean isBehind(CommittedBatch committedBatch) {
      return !committedBatch.entries().isEmpty()
          && committedBatch.entries().getLast().position() > afterPosition;
    }

    Missing after(CommittedBatch committedBatch) {
      return new Missing(
          afterPosition + committedBatch.entries().size(),
          committedBatch.checkpoint() == null
              ? afterCheckpoint
              : committedBatch.checkpoint().number());
    }
  }

  private static boolean hasJournal(Connection connection) throws SQLException {
    try (ResultSet tables = connection.getMetaData().getTables(null, null, "JOURNAL_EDGE", null)) {
      return tables.next();
    }
  }

  @Override
  public Connection connectToWrite() throws SQLException {
    return connect(); // nobody but this process can make it wait
  }

  @Override
  public Connection reader() throws SQLException {
    openCaughtUp();
    return readers.getConnection();
  }

  /** A pooled connection may be the first that opens the engine after a failure. */
  private synchronized void openCaughtUp() throws SQLException {
    if (!caughtUp) {
      connect().close();
    }
  }

  @Override
  public String schemaResource() {
    return "h2.sql";
  }

  @Override
  public void lockSchema(Connection connection) {
    // one process owns the file: there is nobody to keep out
  }

  @Override
  public void announce(Connection connection, long head) {
    // nobody else has the file open
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
    if (!unplaced) {
      log.restart();
    }
  }

  @Override
  public void keep(Connection connection, CommittedBatch committedBatch) throws SQLException {
    if (committedBatch.isEmpty()) {
      return;
    }
    requireInPlace();
    if (unplaced || log.bytes() > LOG_BYTES_MAX) {
      force(connection);
      return;
    }
    try {
      log.append(committedBatch);
      openedLog.opened();
      if (durability == Durability.POWER) {
        log.force();
      }
    } catch (IOException e) {
      throw new SQLException("the log ahead of the database cannot be written", e);
    }
  }

  @Override
  public void finish(Connection connection) throws SQLException {
    force(connection);
    if (!unplaced) {
      eraseLog();
    }
  }

  @Override
  public void startOver(Connection connection) throws SQLException {
    force(connection);
    eraseLog();
    unplaced = false;
  }

  private void eraseLog() throws SQLException {
    try {
      log.erase();
    } catch (IOException e) {
      throw new SQLException("the log ahead of the database cannot be emptied", e);
    }
  }

  @Override
  public synchronized void abandon(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      // the engine closes a database whose file failed by itself, and then says so here
    }
    caughtUp = false;
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public String describe() {
    return file + ".mv.db";
  }

  @Override
  public synchronized void close() {
    readers.close();
    log.close();
  }
}
