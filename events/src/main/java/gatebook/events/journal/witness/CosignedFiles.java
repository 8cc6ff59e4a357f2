package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.storage.CheckpointFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Cosigned checkpoints in a directory of which this process is the only user, a file for each log.
 */
public final class CosignedFiles implements CosignedCheckpoints {
  private final Path directory;

  /**
   * @param directory which exists
   */
  public CosignedFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public Optional<String> read(String log) {
    return Optional.ofNullable(file(log).read()).map(note -> new String(note, UTF_8));
  }

  @Override
  public synchronized boolean replace(String log, Optional<String> before, String after)
      throws IOException {
    boolean isNewest = read(log).equals(before);
    if (isNewest) {
      file(log).writeDurably(after);
    }
    return isNewest;
  }

  private CheckpointFile file(String log) {
    return new CheckpointFile(file(directory, log));
  }

  /** The file of a log. */
  public static Path file(Path directory, String log) {
    return directory.resolve(log + ".checkpoint");
  }

  @Override
  public void close() {
    // no file stays open
  }
}
