package gatebook.events.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that stays open. The system goes on writing to it, and forces it, when it was removed or
 * another one has taken its place; then what was written is gone with the process.
 */
final class OpenedFile {

  private final Path path;

  /** Names the file on its disk; absent until it was opened first. */
  private volatile @Nullable Object key;

  OpenedFile(Path path) {
    this.path = path;
  }

  /** Remembers the file that is there now, if none was before. */
  void opened() throws IOException {
    if (key == null) {
      key = key();
    }
  }

  /** Throws when the file that was opened is not at its path any more. */
  void requireInPlace() throws IOException {
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
