package gatebook.api.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
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

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final String place;

  /** Takes the place of what the configuration has; {@code file} else stderr. */
  public static LogSink open(Optional<Path> file, LogLevel level) {
    return file.filter(LogSink::isUsable)
        .map(usable -> new LogSink(toFile(usable), usable.toString(), level))
        .orElseGet(() -> toStderr(file, level));
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

  private static LogSink toStderr(Optional<Path> unusable, LogLevel level) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setTarget("System.err");
    LogSink sink = new LogSink(console, "stderr", level);
    unusable.ifPresent(file ->
        LoggerFactory.getLogger(LogSink.class)
            .atWarn()
            .addKeyValue("file", file)
            .log("cannot write the log file, so lines go to stderr: make it writable"));
    return sink;
  }

  private static FileAppender<ILoggingEvent> toFile(Path file) {
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setFile(file.toString());
    appender.setAppend(true);
    return appender;
  }

  /** Makes the file where there is none, for its owner's eyes only. */
  private static boolean isUsable(Path file) {
    try (FileChannel _ =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      if (Files.isRegularFile(file)) {
        Files.setPosixFilePermissions(file, OWNER_ONLY);
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
