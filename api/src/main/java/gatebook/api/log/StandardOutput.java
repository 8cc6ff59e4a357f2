package gatebook.api.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognises standard output under any of its names. */
final class StandardOutput {

  private static final Path DEV_NULL = Path.of("/dev/null");

  /** The usual name, and the one of systems without it. */
  private static final List<Path> NAMES = List.of(Path.of("/dev/fd/1"), Path.of("/dev/stdout"));

  private StandardOutput() {}

  /** Whether writing to this file writes to standard output. */
  static boolean isSameFile(Path file) {
    Object key = key(file);
    return NAMES.contains(file.toAbsolutePath().normalize())
        || (key != null
            && !key.equals(key(DEV_NULL))
            && NAMES.stream().anyMatch(name -> key.equals(key(name))));
  }

  /** The identity of a file; null when it does not exist. */
  private static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException | UnsupportedOperationException _) {
      return null;
    }
  }
}
