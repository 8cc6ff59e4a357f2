package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a program writes to its standard error, and what it writes to its standard output that is no
 * message: the first goes to the log line by line, the second is counted there. Neither can flood
 * it.
 */
final class StderrLog {

  static final int LINE_BYTES_MAX = 8 << 10;

  /** Lines of standard error in one second; what is beyond it is counted. */
  static final int LINES_PER_SECOND_MAX = 50;

  private static final Logger LOG = LoggerFactory.getLogger("gatebook.source");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long STRAY_EVERY_NANOS = 60 * SECOND_NANOS;

  private final String source;
  private final UnaryOperator<String> scrubbed;
  private final LongSupplier nanoTime;

  private long second;
  private int linesInSecond;
  private long leftOut;
  private long strays;
  private long strayToldAt;

  /**
   * Has told nothing yet.
   *
   * @param scrubbed takes secrets out
   */
  StderrLog(String source, UnaryOperator<String> scrubbed, LongSupplier nanoTime) {
    this.source = source;
    this.scrubbed = scrubbed;
    this.nanoTime = nanoTime;
    this.second = nanoTime.getAsLong() - SECOND_NANOS;
    this.strayToldAt = nanoTime.getAsLong() - STRAY_EVERY_NANOS;
  }

  /** Tells what there is until the stream ends. */
  void read(InputStream errors) {
    try (errors) {
      LineReader lineReader = new LineReader(errors, LINE_BYTES_MAX);
      for (LineReader.Line line = lineReader.next(); line != null; line = lineReader.next()) {
        switch (line) {
          case LineReader.Line.Whole(var bytes) -> said(new String(bytes, UTF_8).strip());
          case LineReader.Line.Overlong(long bytes, _) ->
              said("a line of %d bytes".formatted(bytes));
        }
      }
    } catch (IOException _) {
      // the program is gone, and with it what it had to say
    }
  }

  private void said(String line) {
    if (!line.isEmpty() && mayTell()) {
      LOG.atInfo().addKeyValue("source", source).log(scrubbed.apply(line));
    }
  }

  private synchronized boolean mayTell() {
    long now = nanoTime.getAsLong();
    if (now - second >= SECOND_NANOS) {
      tellLeftOut();
      second = now;
      linesInSecond = 0;
    }
    boolean may = linesInSecond < LINES_PER_SECOND_MAX;
    linesInSecond += may ? 1 : 0;
    leftOut += may ? 0 : 1;
    return may;
  }

  private void tellLeftOut() {
    if (leftOut > 0) {
      LOG.atWarn()
          .addKeyValue("source", source)
          .addKeyValue("lines", leftOut)
          .log("lines of standard error were left out, there were too many");
      leftOut = 0;
    }
  }

  /** A line of standard output that is no message; what is in it is nobody's business. */
  synchronized void stray() {
    strays++;
    long now = nanoTime.getAsLong();
    if (now - strayToldAt >= STRAY_EVERY_NANOS) {
      LOG.atWarn()
          .addKeyValue("source", source)
          .addKeyValue("lines", strays)
          .log("lines of standard output are no messages, and were dropped");
      strays = 0;
      strayToldAt = now;
    }
  }
}
