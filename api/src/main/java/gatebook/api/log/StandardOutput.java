package gatebook.api.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What standard output is, whatever other names it has. */
final class StandardOutput {

  private static final Path NOWHERE = Path.of("/dev/null");

  /** The usual one, and where the one is not there. */
  private static final List<Path> NAMES = List.of(Path.of("/dev/fd/1"), Path.of("/dev/stdout"));

  private StandardOutput() {}

  /** Whether whoever writes to this file writes there. */
  static boolean is(Path file) {
    Object key = key(file);
    return NAMES.contains(file.toAbsolutePath().normalize())
        || (key != null
            && !key.equals(key(NOWHERE))
            && NAMES.stream().anyMatch(name -> key.equals(key(name))));
  }

  /** Tells a file from all others; null for what is not there. */
  private static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException | UnsupportedOperationException _) {
      return null;
    }
  }
}
