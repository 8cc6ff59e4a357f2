package gatebook.events.journal.h2;

import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.segment.Predecessor;
import gatebook.events.journal.segment.PredecessorJournal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The rows of an H2 database and the write-ahead log beside it, the predecessor of segments on one
 * machine.
 *
 * @param file without the extension that H2 adds
 */
public record H2Predecessor(Path file) implements Predecessor {
  private static final String RETIRED = ".taken-over";

  @Override
  public boolean exists() {
    return Files.exists(database());
  }

  @Override
  public String describe() {
    return database().toString();
  }

  private Path database() {
    return Path.of(file + ".mv.db");
  }

  private Path log() {
    return Path.of(file + ".ahead.db");
  }

  @Override
  public PredecessorJournal open() throws OpenRefusal, StorageFailure {
    return H2Journal.open(file, database(), log());
  }

  /** The log goes last: the database may lack what is in it, and without one it is not read. */
  @Override
  public void retire() throws IOException {
    rename(database());
    rename(log());
  }

  private static void rename(Path used) throws IOException {
    if (Files.exists(used)) {
      Path retired = Path.of(used + RETIRED);
      Files.move(used, retired, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel names =
          FileChannel.open(retired.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }
}
