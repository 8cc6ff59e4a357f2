package gatebook.api.gateway.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.DefaultLoggingEvent;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventAware;

/** The fields of a log line, in their order. They are so few that a search needs no index. */
final class LogFields {
  private final List<KeyValuePair> fields = new ArrayList<>(20);

  /** Sets a field; it keeps its place if it has one. */
  void put(String key, @Nullable Object value) {
    KeyValuePair field = new KeyValuePair(key, value);
    int at = place(key);
    if (at < 0) {
      fields.add(field);
    } else {
      fields.set(at, field);
    }
  }

  boolean has(String key) {
    return place(key) >= 0;
  }

  private int place(String key) {
    for (int at = 0; at < fields.size(); at++) {
      if (fields.get(at).key.equals(key)) {
        return at;
      }
    }
    return -1;
  }

  /** Logs a line with these fields, if its level is logged. */
  void log(Logger log, Level level, String sentence) {
    if (log.isEnabledForLevel(level)) {
      DefaultLoggingEvent line = new Line(level, log);
      line.setMessage(sentence);
      ((LoggingEventAware) log).log(line);
    }
  }

  private final class Line extends DefaultLoggingEvent {
    Line(Level level, Logger log) {
      super(level, log);
    }

    @Override
    public List<KeyValuePair> getKeyValuePairs() {
      return fields;
    }
  }
}
