package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.redact.StackTraceLines;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the standard error of a process line by line, with a marker for the lines of a stack trace,
 * and counts lines of its standard output that are not messages. Neither can flood the log.
 */
final class StderrLog {

  static final int LINE_BYTES_MAX = 8 << 10;

  /** Lines of standard error logged per second; further lines are only counted. */
  static final int LINES_PER_SECOND_MAX = 50;

  private static final Logger LOG = LoggerFactory.getLogger("gatebook.source");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long STRAY_EVERY_NANOS = 60 * SECOND_NANOS;

  private final String source;
  private final UnaryOperator<String> scrubbed;
  private final LongSupplier nanoTime;

  /** Used only by the thread that reads the stream, as the next two fields. */
  private final StackTraceLines stackTraceLines = new StackTraceLines();

  /** May belong to a trace that begins with the next line; empty when there is none. */
  private String heldLine = "";

  private boolean isInTrace;

  private long second;
  private int linesInSecond;
  private long leftOut;
  private long strays;
  private long strayLoggedAt;

  /**
   * Has logged nothing yet.
   *
   * @param scrubbed removes secrets
   */
  StderrLog(String source, UnaryOperator<String> scrubbed, LongSupplier nanoTime) {
    this.source = source;
    this.scrubbed = scrubbed;
    this.nanoTime = nanoTime;
    this.second = nanoTime.getAsLong() - SECOND_NANOS;
    this.strayLoggedAt = nanoTime.getAsLong() - STRAY_EVERY_NANOS;
  }

  /** Logs the stream until it ends. */
  void read(InputStream errors) {
    try (errors) {
      LineReader lineReader = new LineReader(errors, LINE_BYTES_MAX);
      for (LineReader.Line line = lineReader.next(); line != null; line = lineReader.next()) {
        switch (line) {
          case LineReader.Line.Whole(var bytes, _) -> take(new String(bytes, UTF_8));
          case LineReader.Line.Overlong(long bytes, _, _, _) ->
              logText("a line of %d bytes".formatted(bytes));
        }
        if (!lineReader.isNextReady()) {
          logHeld(); // the last line of a process that goes on is not delayed
        }
      }
      logHeld();
    } catch (IOException _) {
      // the process ended
    }
  }

  /** Indentation is a part of some frames. */
  private void take(String line) {
    switch (stackTraceLines.next(line)) {
      case TEXT -> logText(line.strip());
      case NAME -> {
        logHeld();
        heldLine = line.strip();
      }
      case FRAME -> {
        logHeld();
        logFrame();
      }
      case NAMED_FRAME -> {
        heldLine = "";
        logFrame();
      }
    }
  }

  private void logHeld() {
    if (!heldLine.isEmpty()) {
      String line = heldLine;
      heldLine = "";
      isInTrace = false;
      log(line);
    }
  }

  private void logText(String line) {
    if (!line.isEmpty()) {
      logHeld();
      isInTrace = false;
      log(line);
    }
  }

  /** Logs a trace of many lines as one. */
  private void logFrame() {
    if (!isInTrace) {
      isInTrace = true;
      log(StackTraceLines.MARKER);
    }
  }

  private void log(String line) {
    if (claimLine()) {
      LOG.atInfo().addKeyValue("source", source).log(scrubbed.apply(line));
    }
  }

  private synchronized boolean claimLine() {
    long now = nanoTime.getAsLong();
    if (now - second >= SECOND_NANOS) {
      logLeftOut();
      second = now;
      linesInSecond = 0;
    }
    boolean isAllowed = linesInSecond < LINES_PER_SECOND_MAX;
    linesInSecond += isAllowed ? 1 : 0;
    leftOut += isAllowed ? 0 : 1;
    return isAllowed;
  }

  private void logLeftOut() {
    if (leftOut > 0) {
      LOG.atWarn()
          .addKeyValue("source", source)
          .addKeyValue("lines", leftOut)
          .log("too many lines of standard error: some were not logged");
      leftOut = 0;
    }
  }

  /** Counts a line of standard output that is not a message. Its content is never logged. */
  synchronized void countStray() {
    strays++;
    long now = nanoTime.getAsLong();
    if (now - strayLoggedAt >= STRAY_EVERY_NANOS) {
      LOG.atWarn()
          .addKeyValue("source", source)
          .addKeyValue("lines", strays)
          .log("lines of standard output are not messages and were dropped");
      strays = 0;
      strayLoggedAt = now;
    }
  }
}
