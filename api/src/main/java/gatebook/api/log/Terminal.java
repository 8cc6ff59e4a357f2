package gatebook.api.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The output streams of this process, each of which may be a terminal. The JDK's console reports on
 * standard input and output together, and on neither alone.
 */
public enum Terminal {
  STDOUT(OriginalStdout.FILE),
  STDERR(Path.of("/dev/fd/2"));

  private static final int FILE_TYPE = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final Path DEV_NULL = Path.of("/dev/null");

  private final Path stream;

  Terminal(Path stream) {
    this.stream = stream;
  }

  /** Whether the stream is a terminal; false where that cannot be determined. */
  public boolean isTerminal() {
    try {
      return isCharacterDevice(stream) && !Objects.equals(device(stream), device(DEV_NULL));
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
