package gatebook.query.projection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.h2.api.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database file of this node's views. It is never forced to disk, because the views can be
 * rebuilt from the journal. A file that is damaged, or of another engine, is deleted.
 */
public final class ViewFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ViewFile.class);

  static {
    InterruptSafeFileSystem.register();
  }

  private static final int READERS_MAX = 32;
  private static final long SAVE_MILLIS = 500;

  private final String url;
  private final Path path;
  private final PlatformThreads threads = new PlatformThreads("view-reader", READERS_MAX);

  /** Keeps the database open: the engine closes it with its last connection. */
  private Connection heldConnection;

  private final ViewWriting writing;
  private final ViewFollowers followers;

  /** The result of opening the file. */
  public sealed interface Opening {
    record Opened(ViewFile views) implements Opening {}

    /** Tells the operator in a sentence what to do. */
    record Refused(String sentence) implements Opening {}
  }

  private ViewFile(String url, Path path, long saveMillis) throws SQLException {
    this.url = url;
    this.path = path;
    this.heldConnection = DriverManager.getConnection(url);
    this.writing = new ViewWriting(this::heldConnection, saveMillis);
    this.followers = new ViewFollowers(writing);
  }

  /**
   * Opens the file, or creates it.
   *
   * @param file the path without the extension that the engine adds
   */
  public static Opening open(Path file) {
    return open(InterruptSafeFileSystem.SCHEME, file, SAVE_MILLIS);
  }

  /**
   * Opens the file in a file system that is registered with the engine, or creates it.
   *
   * @param file the path without the extension that the engine adds
   * @param saveMillis how often changes are saved in the file
   */
  public static Opening open(String scheme, Path file, long saveMillis) {
    String url =
        "jdbc:h2:%s:%s;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0;%s"
            .formatted(scheme, file.toAbsolutePath(), ViewWriting.ENGINE_SETTING);
    try {
      return new Opening.Opened(opened(url, file, saveMillis));
    } catch (SQLException | IOException e) {
      return new Opening.Refused(
          "the views in %s.mv.db cannot be opened: make the file writable, or delete it"
              .formatted(file));
    }
  }

  private static ViewFile opened(String url, Path file, long saveMillis)
      throws SQLException, IOException {
    Path path = file.resolveSibling(file.getFileName() + ".mv.db");
    try {
      return new ViewFile(url, path, saveMillis);
    } catch (SQLException e) {
      if (e.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
        throw e;
      }
      log.atWarn()
          .addKeyValue("code", e.getErrorCode())
          .log("the file of the views is unusable: it is deleted and the views are rebuilt");
      Files.delete(path);
      return new ViewFile(url, path, saveMillis);
    }
  }

  /** The path of the file, with the engine's extension. */
  public Path path() {
    return path;
  }

  /** Drops all views but these, as an earlier version may have left them in the file. */
  public void dropAllBut(Collection<View> views) {
    Set<String> names = views.stream().map(View::name).collect(Collectors.toSet());
    try (Connection connection = connect()) {
      writing.change(() -> ViewSchemas.dropAllBut(connection, names));
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  /** Has the turns of changes: no change is made without one. */
  ViewWriting writing() {
    return writing;
  }

  /** Pass the journal's events to the views. */
  ViewFollowers followers() {
    return followers;
  }

  /** The threads for uses of the views by virtual threads. */
  PlatformThreads threads() {
    return threads;
  }

  /** Opens a connection without auto-commit. */
  Connection connect() throws SQLException {
    reopenIfClosed();
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    return connection;
  }

  /**
   * Reconnects when the engine has closed the database. It does so when its file failed, and closes
   * every connection with it.
   */
  private synchronized void reopenIfClosed() throws SQLException {
    if (heldConnection.isClosed()) {
      heldConnection = DriverManager.getConnection(url);
    }
  }

  private synchronized Connection heldConnection() {
    return heldConnection;
  }

  @Override
  public synchronized void close() {
    threads.close();
    writing.close();
    try {
      heldConnection.close();
    } catch (SQLException e) {
      log.atWarn().setCause(e).log("closing the views failed: some are rebuilt at the next start");
    }
  }
}
