package gatebook.api.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * The time of the newest backup of a journal, in a file of its data directory. It is not in the
 * journal, so that a backup of a stopped journal has all of it.
 */
public record NewestBackup(Path file) {

  public static NewestBackup in(Path directory) {
    return new NewestBackup(directory.resolve("newest-backup"));
  }

  /** Empty when there was none, or the file cannot be read. */
  public Optional<Instant> at() {
    try {
      return Optional.of(Instant.parse(Files.readString(file).strip()));
    } catch (IOException | DateTimeException _) {
      return Optional.empty();
    }
  }

  public void write(Instant at) throws IOException {
    PrivateFile.write(file, at + "\n");
  }
}
