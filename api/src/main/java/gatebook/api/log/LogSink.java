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
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Where the lines of a process go that must never wait for whoever reads them: when nobody does,
 * lines are dropped, and that is told once somebody does.
 */
public final class LogSink implements AutoCloseable {

  /** How much may wait for whoever reads it, unless something else is told. */
  public static final long WAITING_BYTES_MAX = 8 << 20;

  /** How long closing may wait for lines that are on their way. */
  public static final int FLUSH_MILLIS_MAX = 500;

  /** What a pipe takes in one piece, so that no other writer's words get into a line. */
  private static final int PIPE_BYTES = 4_096;

  private static final String OURS = "gatebook";

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Encoder<ILoggingEvent> lines;
  private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
  private final List<Appender<ILoggingEvent>> replaced = new ArrayList<>();
  private final String place;

  /**
   * A file for lines.
   *
   * @param bytesMax how long it may be before it is moved aside
   * @param filesMax how many there may be, with those that were moved aside
   */
  public record Where(Path file, long bytesMax, int filesMax) {
    public static final long BYTES_MAX = 10 << 20;
    public static final int FILES_MAX = 3;
  }

  /** What opening a file for lines ends in. */
  public sealed interface Opening {
    record Opened(LogSink sink) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  /**
   * Takes the place of what the configuration has, until it is closed: lines go to stderr.
   *
   * @param waitingBytesMax how much may wait for whoever reads it
   */
  public static LogSink open(LogLevel level, long waitingBytesMax) {
    return toStderr(level, waitingBytesMax);
  }

  /**
   * The same with a file. One that cannot be written is warned of on stderr, and lines go there;
   * one that is what standard output is, or that nobody reads, is refused.
   */
  public static Opening open(Where file, LogLevel level, long waitingBytesMax) {
    if (StandardOutput.is(file.file())) {
      return new Opening.Refused(
          "standard output has frames only: give log lines a file, or leave them on standard"
              + " error");
    }
    try {
      return LogFile.open(file)
          .<Opening>map(lines ->
              new Opening.Opened(
                  new LogSink(
                      lines, new JsonLogEncoder(), waitingBytesMax, file.file().toString(), level)))
          .orElseGet(() ->
              new Opening.Refused(
                  "nobody reads the pipe %s: start its reader first, or give log lines a file"
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
        BoundedLogStream.begin(to, waitingBytesMax, FLUSH_MILLIS_MAX, this::gap));
    appender.start();
    root().iteratorForAppenders().forEachRemaining(replaced::add);
    replaced.forEach(root()::detachAppender);
    root().addAppender(appender);
    level(level);
  }

  private byte[] gap(long dropped) {
    LoggingEvent event =
        new LoggingEvent(
            LogSink.class.getName(),
            context.getLogger(LogSink.class),
            Level.WARN,
            "nobody read the log lines for a while, and some were dropped: see to their reader",
            null,
            null);
    event.addKeyValuePair(new KeyValuePair("dropped", dropped));
    return lines.encode(event);
  }

  /** From here on as much as this is logged; of libraries, warnings at most. */
  public void level(LogLevel level) {
    context.getLogger(OURS).setLevel(level.level());
    root().setLevel(level == LogLevel.ERROR ? Level.ERROR : Level.WARN);
  }

  /** The file, or {@code stderr}. */
  public String place() {
    return place;
  }

  /** Gives its place back; waits half a second at most for the lines that are on their way. */
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
