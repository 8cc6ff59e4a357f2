package gatebook.api.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Where the lines of a process go that must never wait for whoever reads them: when nobody does,
 * lines are dropped.
 */
public final class LogSink implements AutoCloseable {

  private static final int LINES_MAX = 8_192;

  /** How long closing may wait for lines that are on their way. */
  public static final int FLUSH_MILLIS_MAX = 500;

  private static final String OURS = "gatebook";

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
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

  /** Takes the place of what the configuration has: a file, else stderr. */
  public static LogSink open(Optional<Where> file, LogLevel level) {
    if (file.isEmpty()) {
      return toStderr(level);
    }
    try {
      return toFile(file.get(), level);
    } catch (IOException e) {
      LogSink sink = toStderr(level);
      LoggerFactory.getLogger(LogSink.class)
          .atWarn()
          .addKeyValue("file", file.get().file())
          .addKeyValue("reason", e.getClass().getSimpleName())
          .log("cannot write the log file, so lines go to stderr: make it writable");
      return sink;
    }
  }

  private LogSink(OutputStreamAppender<ILoggingEvent> appender, String place, LogLevel level) {
    this.place = place;
    AsyncAppender lines = new AsyncAppender();
    lines.setContext(context);
    lines.setQueueSize(LINES_MAX);
    lines.setNeverBlock(true);
    lines.setDiscardingThreshold(0);
    lines.setMaxFlushTime(FLUSH_MILLIS_MAX);
    lines.addAppender(started(appender));
    lines.start();
    Logger root = root();
    root.detachAndStopAllAppenders();
    root.addAppender(lines);
    level(level);
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

  /** Waits half a second at most for the lines that are on their way. */
  @Override
  public void close() {
    context.stop();
  }

  private Logger root() {
    return context.getLogger(Logger.ROOT_LOGGER_NAME);
  }

  private OutputStreamAppender<ILoggingEvent> started(
      OutputStreamAppender<ILoggingEvent> appender) {
    JsonLines lines = new JsonLines();
    lines.setContext(context);
    lines.start();
    appender.setContext(context);
    appender.setEncoder(lines);
    appender.start();
    return appender;
  }

  private static LogSink toStderr(LogLevel level) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setTarget("System.err");
    return new LogSink(console, "stderr", level);
  }

  private static LogSink toFile(Where where, LogLevel level) throws IOException {
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setOutputStream(LogFile.open(where));
    return new LogSink(appender, where.file().toString(), level);
  }
}
