package gatebook.command.rules.file;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations: {@code 1h 30m}, or ISO 8601 as in {@code PT1H30M}. */
final class DurationText {

  private DurationText() {}

  private static final Pattern ISO = Pattern.compile("P(?:\\d{1,12}W|(?:\\d+D)?(?:T[\\dHMS.]+)?)");
  private static final Pattern PARTS = Pattern.compile("(?:\\s*\\d{1,12}\\s*[a-zA-Z]+)+\\s*");
  private static final Pattern PART = Pattern.compile("(\\d+)\\s*([a-zA-Z]+)");

  private record Unit(List<String> names, Duration length) {}

  /** Months and years have their average length. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit(List.of("nanos", "nsec", "ns"), Duration.ofNanos(1)),
          new Unit(List.of("usec", "us"), Duration.ofNanos(1_000)),
          new Unit(List.of("millis", "msec", "ms"), Duration.ofMillis(1)),
          new Unit(List.of("seconds", "second", "secs", "sec", "s"), Duration.ofSeconds(1)),
          new Unit(List.of("minutes", "minute", "min", "mins", "m"), Duration.ofMinutes(1)),
          new Unit(List.of("hours", "hour", "hrs", "hr", "h"), Duration.ofHours(1)),
          new Unit(List.of("days", "day", "d"), Duration.ofDays(1)),
          new Unit(List.of("weeks", "week", "wks", "wk", "w"), Duration.ofDays(7)),
          new Unit(List.of("months", "month", "M"), Duration.ofSeconds(2_630_016)),
          new Unit(List.of("years", "year", "yrs", "yr", "y"), Duration.ofSeconds(31_557_600)));

  static Optional<Duration> parse(String text) {
    try {
      if (ISO.matcher(text).matches()) {
        return Optional.of(iso(text));
      }
      return PARTS.matcher(text).matches() ? sum(PART.matcher(text)) : Optional.empty();
    } catch (DateTimeParseException | ArithmeticException _) {
      return Optional.empty();
    }
  }

  private static Duration iso(String text) {
    return text.endsWith("W")
        ? Duration.ofDays(
            Math.multiplyExact(7L, Long.parseLong(text.substring(1, text.length() - 1))))
        : Duration.parse(text);
  }

  private static Optional<Duration> sum(Matcher parts) {
    Duration sum = Duration.ZERO;
    while (parts.find()) {
      Optional<Unit> unit = unit(parts.group(2));
      if (unit.isEmpty()) {
        return Optional.empty();
      }
      sum = sum.plus(unit.get().length().multipliedBy(Long.parseLong(parts.group(1))));
    }
    return Optional.of(sum);
  }

  private static Optional<Unit> unit(String name) {
    return UNITS.stream().filter(unit -> unit.names().contains(name)).findFirst();
  }

  /** The duration in the largest unit that divides it, as in {@code 10m}. */
  static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    return seconds % 3_600 == 0
        ? seconds / 3_600 + "h"
        : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
