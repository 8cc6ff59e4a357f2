package gatebook.events.journal.h2;

import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalStorage;
import gatebook.events.journal.sql.RowStorage;
import java.nio.file.Path;

/**
 * The location of an embedded H2 database, which one process has for itself.
 *
 * @param file without the extension that H2 adds
 * @param fileSystem the H2 file system that reads and writes the file
 */
public record EmbeddedLocation(Path file, String fileSystem) implements JournalSettings.Location {
  public EmbeddedLocation(Path file) {
    this(file, InterruptSafeFileSystem.SCHEME);
  }

  @Override
  public JournalStorage storage(Durability durability, JournalLimits limits) {
    return new RowStorage(new H2Database(fileSystem, file, durability, limits));
  }
}
