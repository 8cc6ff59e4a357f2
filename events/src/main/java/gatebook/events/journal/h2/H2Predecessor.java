package gatebook.events.journal.h2;

import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalStorage;
import gatebook.events.journal.segment.Predecessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The rows of an H2 database, the predecessor of segments on one machine.
 *
 * @param file without the extension that H2 adds
 */
public record H2Predecessor(Path file) implements Predecessor {
  private static final String RETIRED = ".taken-over";

  @Override
  public boolean exists() {
    return Files.exists(database());
  }

  private Path database() {
    return Path.of(file + ".mv.db");
  }

  @Override
  public JournalStorage storage() {
    return new EmbeddedLocation(file).storage(Durability.POWER, JournalLimits.DEFAULT);
  }

  /** The log goes first: without the database it is not read, and it may belong to another one. */
  @Override
  public void retire() throws IOException {
    Path log = Path.of(file + ".ahead.db");
    if (Files.exists(log)) {
      rename(log);
    }
    rename(database());
  }

  private static void rename(Path retired) throws IOException {
    Files.move(retired, Path.of(retired + RETIRED), StandardCopyOption.ATOMIC_MOVE);
  }
}
