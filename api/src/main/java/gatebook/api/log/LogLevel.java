package gatebook.api.log;

import ch.qos.logback.classic.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The log levels, the most verbose first. */
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR;

  /** The level of this name, in any case. */
  public static Optional<LogLevel> named(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equalsIgnoreCase(name)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(LogLevel::word).toList();
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  Level level() {
    return Level.toLevel(name());
  }
}
