package gatebook.api.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of four bytes, in log files of at most ten. */
final class LogFileTest {

  @TempDir private Path temp;

  private Path file;

  @BeforeEach
  void name() {
    file = temp.resolve("log");
  }

  @Test
  void aFullFileIsRotatedByTheNextLine() throws IOException {
    try (LogFile log = opened(12, 3)) {
      write(log, "aaa", "bbb", "ccc");
      assertThat(files()).isEqualTo(Map.of("log", "aaa bbb ccc "));

      write(log, "ddd");
      assertThat(files()).isEqualTo(Map.of("log", "ddd ", "log.1", "aaa bbb ccc "));
    }
  }

  @Test
  void theOldestFileIsDeletedAtTheLimit() throws IOException {
    try (LogFile log = opened(10, 3)) {
      write(log, "aaa", "bbb", "ccc", "ddd", "eee", "fff");
      assertThat(files())
          .isEqualTo(Map.of("log", "eee fff ", "log.1", "ccc ddd ", "log.2", "aaa bbb "));

      write(log, "ggg");
      assertThat(files())
          .isEqualTo(Map.of("log", "ggg ", "log.1", "eee fff ", "log.2", "ccc ddd "));
    }
  }

  @Test
  void aSingleFileStartsEmptyAfterRotation() throws IOException {
    try (LogFile log = opened(10, 1)) {
      write(log, "aaa", "bbb", "ccc");

      assertThat(files()).isEqualTo(Map.of("log", "ccc "));
    }
  }

  @Test
  void anOverlongLineHasItsOwnFile() throws IOException {
    try (LogFile log = opened(10, 3)) {
      write(log, "0123456789012345", "bbb");

      assertThat(files()).isEqualTo(Map.of("log", "bbb ", "log.1", "0123456789012345 "));
    }
  }

  @Test
  void existingContentCounts() throws IOException {
    Files.writeString(file, "before\n");
    try (LogFile log = opened(10, 3)) {
      write(log, "aaa");

      assertThat(files()).isEqualTo(Map.of("log", "aaa ", "log.1", "before "));
    }
  }

  @Test
  void severalWritersShareOneRotatedFile() throws IOException {
    try (LogFile one = opened(10, 3);
        LogFile other = opened(10, 3)) {
      write(one, "aaa");
      write(other, "bbb");
      write(one, "ccc");
      write(other, "ddd", "eee");
      write(one, "fff");

      assertThat(files())
          .isEqualTo(Map.of("log", "eee fff ", "log.1", "ccc ddd ", "log.2", "aaa bbb "));
    }
  }

  @Test
  void anInterruptedThreadStillWrites() throws IOException {
    try (LogFile log = opened(10, 3)) {
      Thread.currentThread().interrupt(); // as logging does to its thread at the end
      write(log, "aaa", "bbb", "ccc");

      assertThat(Thread.interrupted()).isTrue();
      assertThat(files()).isEqualTo(Map.of("log", "aaa bbb ccc "));
      write(log, "ddd");
      assertThat(files()).isEqualTo(Map.of("log", "ddd ", "log.1", "aaa bbb ccc "));
    }
  }

  @Test
  void aRemovedFileIsCreatedAgain() throws IOException {
    try (LogFile log = opened(10, 3)) {
      write(log, "aaa");
      Files.delete(file);
      write(log, "bbb");

      assertThat(files()).isEqualTo(Map.of("log", "bbb "));
    }
  }

  @Test
  void everyFileIsPrivate() throws IOException {
    Files.writeString(file, "before\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (LogFile log = opened(10, 3)) {
      write(log, "aaa", "bbb");
    }

    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files)
          .allSatisfy(it ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(it)))
                  .isEqualTo("rw-------"));
    }
  }

  @Test
  void aDeviceIsWrittenButNeverRotated() throws IOException {
    try (LogFile log =
        LogFile.open(new LogSink.FileTarget(Path.of("/dev/null"), 10, 3)).orElseThrow()) {
      write(log, "aaa", "bbb", "ccc", "ddd");
    }

    assertThat(Files.isRegularFile(Path.of("/dev/null.1"))).isFalse();
  }

  private LogFile opened(long bytesMax, int filesMax) throws IOException {
    return LogFile.open(new LogSink.FileTarget(file, bytesMax, filesMax)).orElseThrow();
  }

  private static void write(LogFile log, String... lines) throws IOException {
    for (String line : lines) {
      log.write((line + "\n").getBytes(UTF_8));
    }
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(temp)) {
      for (Path it : files.toList()) {
        found.put(it.getFileName().toString(), Files.readString(it).replace('\n', ' '));
      }
    }
    return found;
  }
}
