package gatebook.api.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Where log lines may not go. Nothing here opens a log. */
final class LogOptionsTest {

  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource({
    "/dev/stdout, standard output",
    "/dev/fd/1, standard output",
    "/proc/self/fd/1, standard output",
    "link-to-stdout, standard output",
    "link-to-descriptor, standard output",
    "/dev/stdin, standard input",
    "/dev/fd/0, standard input",
    "/proc/self/fd/0, standard input"
  })
  void standardStreamsAreRefusedByAnyName(Path name, String stream) throws Exception {
    Files.createSymbolicLink(temp.resolve("link-to-stdout"), Path.of("/dev/stdout"));
    Files.createSymbolicLink(temp.resolve("link-to-descriptor"), Path.of("/proc/self/fd/1"));

    assertThat(refused(temp.resolve(name)))
        .isEqualTo(stream + " is no place for log lines: log to a file, or to standard error");
  }

  @Test
  void pipeWithoutAReaderIsRefused() throws Exception {
    Path pipe = temp.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThat(refused(pipe))
        .isEqualTo(
            "the pipe %s has no reader: start its reader first, or log to a file".formatted(pipe));
  }

  private static String refused(Path log) {
    LogSink.Opening opening = options(Map.of("DUET_RPC_LOG", log.toString())).open(LogLevel.INFO);
    assertThat(opening).isInstanceOf(LogSink.Opening.Refused.class);
    return ((LogSink.Opening.Refused) opening).sentence();
  }

  @Test
  void invalidFileSizeIsAUsageError() {
    LogOptions options = options(Map.of("DUET_RPC_LOG_MAX_SIZE", "large"));

    assertThatThrownBy(() -> options.open(LogLevel.INFO))
        .isInstanceOf(ParameterException.class)
        .hasMessage("no size of a log file: 'large', give DUET_RPC_LOG_MAX_SIZE a number of bytes");
  }

  private static LogOptions options(Map<String, String> environment) {
    Logging logging = new Logging(environment);
    var _ = new CommandLine(logging);
    return logging.options;
  }

  @Command
  private static final class Logging {
    @Mixin private final LogOptions options;

    Logging(Map<String, String> environment) {
      options = new LogOptions(environment);
    }
  }
}
