package gatebook.api.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The streams that this process writes to, each of which a person may read at a terminal. The
 * console of the JDK answers for standard input and output together, and for neither alone.
 */
public enum Terminal {
  STDOUT(1),
  STDERR(2);

  private static final int FILE_TYPE = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final Path SWALLOWS_ALL = Path.of("/dev/null");

  private final Path stream;

  Terminal(int descriptor) {
    this.stream = Path.of("/dev/fd/" + descriptor);
  }

  /** Whether a person reads it; nobody does where that cannot be found out. */
  public boolean isThere() {
    try {
      return isCharacterDevice(stream) && !Objects.equals(device(stream), device(SWALLOWS_ALL));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean isCharacterDevice(Path file) throws IOException {
    return Files.getAttribute(file, "unix:mode") instanceof Integer mode
        && (mode & FILE_TYPE) == CHARACTER_DEVICE;
  }

  private static Object device(Path file) throws IOException {
    return Files.getAttribute(file, "unix:rdev");
  }
}
