package gatebook.api.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * The destination of a process's log lines, which must never wait for their reader: without one,
 * lines are dropped, and a later line says how many.
 */
public final class LogSink implements AutoCloseable {

  /** How many bytes may wait to be written, by default. */
  public static final long WAITING_BYTES_MAX = 8 << 20;

  /** How long closing waits for queued lines. */
  public static final int FLUSH_MILLIS_MAX = 500;

  /** The size that a pipe accepts atomically, so that no other writer's text gets into a line. */
  private static final int PIPE_BYTES = 4_096;

  private static final String GATEBOOK_LOGGER = "gatebook";

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Encoder<ILoggingEvent> lines;
  private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
  private final List<Appender<ILoggingEvent>> replaced = new ArrayList<>();
  private final String place;

  /**
   * A log file and its limits.
   *
   * @param bytesMax the size at which it is rotated
   * @param filesMax the number of files, including the rotated ones
   */
  public record FileTarget(Path file, long bytesMax, int filesMax) {
    public static final long BYTES_MAX = 10 << 20;
    public static final int FILES_MAX = 3;
  }

  /** The outcome of opening a log file. */
  public sealed interface Opening {
    record Opened(LogSink sink) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  /**
   * Writes lines to stderr, and replaces the configured appenders until closed.
   *
   * @param waitingBytesMax how many bytes may wait to be written
   */
  static LogSink open(LogLevel level, long waitingBytesMax) {
    return toStderr(level, waitingBytesMax);
  }

  /**
   * Writes lines to a file. When the file cannot be written, a warning says so and lines go to
   * stderr. Standard input and output and a pipe without a reader are refused.
   */
  static Opening open(FileTarget file, LogLevel level, long waitingBytesMax) {
    Optional<StandardStream> standardStream = StandardStream.of(file.file());
    if (standardStream.isPresent()) {
      return new Opening.Refused(
          "%s is no place for log lines: log to a file, or to standard error"
              .formatted(standardStream.get().words()));
    }
    try {
      return LogFile.open(file)
          .<Opening>map(lines ->
              new Opening.Opened(
                  new LogSink(
                      lines, new JsonLogEncoder(), waitingBytesMax, file.file().toString(), level)))
          .orElseGet(() ->
              new Opening.Refused(
                  "the pipe %s has no reader: start its reader first, or log to a file"
                      .formatted(file.file())));
    } catch (IOException e) {
      LogSink sink = toStderr(level, waitingBytesMax);
      LoggerFactory.getLogger(LogSink.class)
          .atWarn()
          .addKeyValue("file", file.file())
          .addKeyValue("reason", e.getClass().getSimpleName())
          .log("cannot write the log file, so lines go to stderr: make it writable");
      return new Opening.Opened(sink);
    }
  }

  private static LogSink toStderr(LogLevel level, long waitingBytesMax) {
    OutputStream stderr =
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.err), PIPE_BYTES);
    return new LogSink(stderr, new StderrLogEncoder(), waitingBytesMax, "stderr", level);
  }

  private LogSink(
      OutputStream to,
      Encoder<ILoggingEvent> lines,
      long waitingBytesMax,
      String place,
      LogLevel level) {
    this.lines = lines;
    this.place = place;
    lines.setContext(context);
    lines.start();
    appender.setContext(context);
    appender.setEncoder(lines);
    appender.setOutputStream(
        BoundedLogStream.start(to, waitingBytesMax, FLUSH_MILLIS_MAX, this::dropNotice));
    appender.start();
    root().iteratorForAppenders().forEachRemaining(replaced::add);
    replaced.forEach(root()::detachAppender);
    root().addAppender(appender);
    setLevel(level);
  }

  private byte[] dropNotice(long dropped) {
    LoggingEvent event =
        new LoggingEvent(
            LogSink.class.getName(),
            context.getLogger(LogSink.class),
            Level.WARN,
            "log lines were dropped because they were not read fast enough: check the reader of the"
                + " log",
            null,
            null);
    event.addKeyValuePair(new KeyValuePair("dropped", dropped));
    return lines.encode(event);
  }

  /** Sets the level; libraries log warnings at most. */
  public void setLevel(LogLevel level) {
    context.getLogger(GATEBOOK_LOGGER).setLevel(level.level());
    root().setLevel(level == LogLevel.ERROR ? Level.ERROR : Level.WARN);
  }

  /** The file, or {@code stderr}. */
  public String place() {
    return place;
  }

  /** Restores the configured appenders; waits at most half a second for queued lines. */
  @Override
  public void close() {
    root().detachAppender(appender);
    replaced.forEach(root()::addAppender);
    appender.stop();
  }

  private Logger root() {
    return context.getLogger(Logger.ROOT_LOGGER_NAME);
  }
}
