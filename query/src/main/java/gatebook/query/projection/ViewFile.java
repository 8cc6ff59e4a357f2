package gatebook.query.projection;

import gatebook.events.journal.InterruptSafeFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.api.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of this node's views: one file, never forced, because all of it can be made again
 * from the journal. One that is damaged, or of another engine, is thrown away.
 */
public final class ViewFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ViewFile.class);

  static {
    InterruptSafeFileSystem.register();
  }

  private final String url;

  /** Tables are made and dropped by one at a time; the engine has one lock for that. */
  private final ReentrantLock defining = new ReentrantLock();

  /** The engine closes a database with its last connection. */
  private Connection keptOpen;

  /** What opening the file ends in. */
  public sealed interface Opening {
    record Opened(ViewFile views) implements Opening {}

    /** The sentence tells an operator what to do. */
    record Refused(String sentence) implements Opening {}
  }

  private ViewFile(String url) throws SQLException {
    this.url = url;
    this.keptOpen = DriverManager.getConnection(url);
  }

  /**
   * Opens the file, or makes it.
   *
   * @param file without the ending that the engine adds
   */
  public static Opening open(Path file) {
    String url =
        "jdbc:h2:%s:%s;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
            .formatted(InterruptSafeFileSystem.SCHEME, file.toAbsolutePath());
    try {
      return new Opening.Opened(opened(url, file));
    } catch (SQLException | IOException e) {
      return new Opening.Refused(
          "the views in %s.mv.db cannot be opened: make the file writable, or delete it"
              .formatted(file));
    }
  }

  private static ViewFile opened(String url, Path file) throws SQLException, IOException {
    try {
      return new ViewFile(url);
    } catch (SQLException e) {
      if (e.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
        throw e;
      }
      log.atWarn().addKeyValue("code", e.getErrorCode()).log("the views are unusable: made again");
      Files.delete(file.resolveSibling(file.getFileName() + ".mv.db"));
      return new ViewFile(url);
    }
  }

  /** Something done to what tables there are. */
  @FunctionalInterface
  interface Definition<T> {
    T make(Connection view) throws SQLException;
  }

  /** Makes or drops tables, and commits; others who do so wait, as long as a large drop takes. */
  <T> T define(Connection view, Definition<T> definition) throws SQLException {
    defining.lock();
    try {
      T made = definition.make(view);
      view.commit();
      return made;
    } finally {
      defining.unlock();
    }
  }

  /** A connection without auto-commit. */
  Connection connect() throws SQLException {
    keepOpen();
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    return connection;
  }

  /** The engine also closes a database whose file failed, and with it every connection. */
  private synchronized void keepOpen() throws SQLException {
    if (keptOpen.isClosed()) {
      keptOpen = DriverManager.getConnection(url);
    }
  }

  @Override
  public synchronized void close() {
    try {
      keptOpen.close();
    } catch (SQLException e) {
      log.atWarn().setCause(e).log("the views were not closed: some of them are made again");
    }
  }
}
