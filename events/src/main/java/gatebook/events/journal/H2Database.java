package gatebook.events.journal;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.h2.api.ErrorCode;
import org.h2.engine.Constants;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;

/**
 * The embedded database: one file, one process.
 *
 * <p>Without a write delay H2 writes each commit at once, in the thread that commits, and forces
 * nothing; {@code CHECKPOINT SYNC} after each batch does. With one, a commit would be handed
 * through three threads of H2's, and its housekeeping would write between our commits; what is left
 * of that is {@link #tidy}. With {@link Durability#PROCESS} a commit is not forced.
 */
final class H2Database implements Database {
  private static final Map<Integer, String> REFUSALS =
      Map.of(
          ErrorCode.DATABASE_ALREADY_OPEN_1, "is in use by another process: stop that one first",
          ErrorCode.FILE_VERSION_ERROR_1, "was written by another version of the database engine",
          ErrorCode.FILE_CORRUPTED_1, "is damaged: restore it from a copy");

  /** Space of which less is in use is given back. */
  private static final int TIDY_PERCENT = 60;

  /** How much of what is in use is moved at once for it: some milliseconds' work. */
  private static final int TIDY_BYTES_MAX = 1 << 20;

  static {
    SteadyFiles.register();
    ForcedInOrder.register();
  }

  private final String url;
  private final Path file;
  private final Durability durability;
  private final HikariDataSource readers;

  /**
   * @param fileSystem the file system of H2 that does the work; {@link SteadyFiles} but in tests
   */
  H2Database(String fileSystem, Path file, Durability durability, JournalLimits limits) {
    this.file = file;
    this.durability = durability;
    this.url = url(fileSystem, file, durability);
    this.readers = Readers.pool(url, "", "", limits.readersMax());
  }

  /**
   * The retention time is how long H2 leaves space alone after writing it. Its default, 45 seconds,
   * lets a lone caller's small commits pile up to a gigabyte. Without any, a crash between a chunk
   * and the header that points to it can make H2 settle for an older state without a word: the
   * chain it follows from the old header leads over reused space. With two seconds the twenty
   * versions of that chain are safe from ten commits a second on. A state older than that fails the
   * check at start, which knows a checkpoint at most a second old and how much was acknowledged.
   * {@link ForcedInOrder} makes the reuse itself safe.
   */
  private static String url(String fileSystem, Path file, Durability durability) {
    String scheme =
        switch (durability) {
          case POWER -> ForcedInOrder.SCHEME + ":" + fileSystem;
          case PROCESS -> fileSystem;
        };
    return "jdbc:h2:%s:%s;WRITE_DELAY=0;RETENTION_TIME=2000;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
        .formatted(scheme, file.toAbsolutePath());
  }

  @Override
  public void check() throws RefusedToOpen, SQLException {
    try {
      connect().close();
    } catch (SQLException e) {
      String refusal = REFUSALS.get(e.getErrorCode());
      if (refusal == null) {
        throw e;
      }
      throw new RefusedToOpen("the database " + describe() + " " + refusal);
    }
  }

  @Override
  public void requireExisting() throws RefusedToOpen {
    if (!Files.exists(Path.of(describe()))) {
      throw new RefusedToOpen("there is no journal: " + describe() + " does not exist");
    }
  }

  @Override
  public int snapshotIsolation() {
    return Constants.TRANSACTION_SNAPSHOT;
  }

  @Override
  public Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public Connection connectToWrite() throws SQLException {
    return connect(); // nobody but this process can make it wait
  }

  @Override
  public Connection reader() throws SQLException {
    return readers.getConnection();
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
    if (durability == Durability.POWER) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CHECKPOINT SYNC");
      }
    }
  }

  /** What is kept is written anew by the next commit, and forced with it. */
  @Override
  public void tidy(Connection connection) throws SQLException {
    SessionLocal session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
    session.getDatabase().getStore().getMvStore().compact(TIDY_PERCENT, TIDY_BYTES_MAX);
  }

  @Override
  public void abandon(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      // the engine closes a database whose file failed by itself, and then says so here
    }
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
  public void close() {
    readers.close();
  }
}
