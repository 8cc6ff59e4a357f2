package gatebook.api.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a logger is told by the thread of one test, whatever others tell it at the same time. */
public final class OwnLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  public final List<ILoggingEvent> list = new ArrayList<>();

  private final Thread own = Thread.currentThread();
  private final Logger logger;

  private OwnLines(String logger) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
  }

  /** Of the thread that begins to listen. */
  public static OwnLines of(String logger) {
    OwnLines lines = new OwnLines(logger);
    lines.start();
    lines.logger.addAppender(lines);
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (Thread.currentThread().equals(own)) {
      list.add(event);
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
