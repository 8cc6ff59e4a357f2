package gatebook.api.log;

import gatebook.api.log.LogSink.FileTarget;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that runs a node: where its log lines go, and how many. */
public final class LogOptions {

  private static final String FILE = "DUET_RPC_LOG";
  private static final String BYTES_MAX = "DUET_RPC_LOG_MAX_SIZE";

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Where log lines go (else $DUET_RPC_LOG, standard error).")
  private @Nullable Path file;

  @Option(
      names = "--log-bytes-max",
      paramLabel = "BYTES",
      description =
          "How long that file may be before it is moved aside (else $DUET_RPC_LOG_MAX_SIZE,"
              + " 10485760).")
  private @Nullable Long bytesMax;

  @Option(
      names = "--log-files-max",
      paramLabel = "N",
      description = "How many of these files are kept (${DEFAULT-VALUE}).",
      defaultValue = "3")
  private int filesMax = FileTarget.FILES_MAX;

  @Option(
      names = "--log-waiting-max",
      paramLabel = "BYTES",
      description =
          "How many bytes of log lines may wait to be written; more are dropped"
              + " (${DEFAULT-VALUE}).",
      defaultValue = "" + LogSink.WAITING_BYTES_MAX,
      converter = ByteCountArgument.class)
  private long waitingBytesMax = LogSink.WAITING_BYTES_MAX;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create(); // picocli injects the command's own

  private final Map<String, String> environment;

  public LogOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Opens what these options select. */
  public LogSink.Opening open(LogLevel level) {
    long fileBytesMax = fileBytesMax();
    if (fileBytesMax < 1 || filesMax < 1) {
      throw usageError("a log file has at least one byte, and there is at least one of them");
    }
    return file()
        .map(it -> LogSink.open(new FileTarget(it, fileBytesMax, filesMax), level, waitingBytesMax))
        .orElseGet(() -> new LogSink.Opening.Opened(LogSink.open(level, waitingBytesMax)));
  }

  private Optional<Path> file() {
    return Optional.ofNullable(file)
        .or(() ->
            Optional.ofNullable(environment.get(FILE))
                .filter(name -> !name.isBlank())
                .map(Path::of));
  }

  private long fileBytesMax() {
    String text = environment.getOrDefault(BYTES_MAX, "");
    try {
      return bytesMax != null
          ? bytesMax
          : text.isBlank() ? FileTarget.BYTES_MAX : Long.parseLong(text.strip());
    } catch (NumberFormatException _) {
      throw usageError(
          "no size of a log file: '%s', give %s a number of bytes".formatted(text, BYTES_MAX));
    }
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
