package gatebook.events.journal;

import java.nio.file.Path;

/**
 * Where a journal lives and what it promises.
 *
 * @param node the name under which this process writes
 * @param keyFile the private key that signs checkpoints, made when it is missing
 * @param checkpointFile the newest checkpoint once more, outside the database
 */
public record JournalSettings(
    Location location,
    Durability durability,
    String node,
    Path keyFile,
    Path checkpointFile,
    JournalLimits limits) {

  public sealed interface Location {}

  /**
   * A database of our own.
   *
   * @param file without the ending that the engine adds
   * @param fileSystem the engine's file system that does the work
   */
  public record Embedded(Path file, String fileSystem) implements Location {
    public Embedded(Path file) {
      this(file, InterruptSafeFileSystem.SCHEME);
    }
  }

  /** A PostgreSQL database that several processes may share. */
  public record Shared(String url, String user, String password) implements Location {
    @Override
    public String toString() {
      return "Shared[user=" + user + "]";
    }
  }

  Database database() {
    return switch (location) {
      case Embedded embedded ->
          new H2Database(embedded.fileSystem(), embedded.file(), durability, limits);
      case Shared shared ->
          new PostgresDatabase(shared.url(), shared.user(), shared.password(), limits);
    };
  }
}
