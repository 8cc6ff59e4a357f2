package gatebook.api.data;

import gatebook.api.archive.ArchiveAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The address of the archive that a node used last, in a file of its data directory: commands
 * without the configuration file read old events there. It has no credentials.
 */
public record KnownArchive(Path file) {

  public static KnownArchive in(Path directory) {
    return new KnownArchive(directory.resolve("archive-address"));
  }

  /** Empty when no archive was used, or the file cannot be read. */
  public Optional<ArchiveAddress> address() {
    try {
      return ArchiveAddress.parse(Files.readString(file).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Remembers an address; the one of a directory does not depend on that of the process. */
  public void remember(ArchiveAddress address) throws IOException {
    if (!address().equals(Optional.of(address.absolute()))) {
      PrivateFile.write(file, address.absolute() + "\n");
    }
  }
}
