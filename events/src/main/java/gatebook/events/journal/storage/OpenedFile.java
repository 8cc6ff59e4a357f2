package gatebook.events.journal.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * An opened file, which may be removed or replaced while it is open. The operating system then goes
 * on writing and forcing it, and what was written is lost with the process.
 */
public final class OpenedFile {

  private final Path path;

  /** Identifies the file on its disk; absent before it was first opened. */
  private volatile @Nullable Object key;

  public OpenedFile(Path path) {
    this.path = path;
  }

  /** Remembers the identity of the file, when it is opened for the first time. */
  public void remember() throws IOException {
    if (key == null) {
      key = key();
    }
  }

  /** Throws when the opened file is not at its path any longer. */
  public void requireInPlace() throws IOException {
    if (key != null && !key.equals(key())) {
      throw new IOException(
          path.getFileName()
              + " was removed or replaced while it was open: put it back, or start again");
    }
  }

  private @Nullable Object key() throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException _) {
      return null;
    }
  }
}
