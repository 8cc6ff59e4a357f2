package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Formats durations for people: {@code 12 ms}, {@code 3.21 s}, {@code 2 min 5 s}. */
public final class Durations {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MILLIS_DIGITS = 3;

  private Durations() {}

  /** The text of a number of milliseconds; empty for anything else. */
  public static String ofMillis(JsonNode millis) {
    return millis.isNumber() ? of(Duration.ofMillis(millis.longValue())) : "";
  }

  /** To the millisecond. */
  public static String of(Duration duration) {
    if (duration.compareTo(SECOND) < 0) {
      return duration.toMillis() + " ms";
    }
    List<String> words = new ArrayList<>();
    add(words, duration.toDays(), "d");
    add(words, duration.toHoursPart(), "h");
    add(words, duration.toMinutesPart(), "min");
    long millis = duration.toSecondsPart() * SECOND.toMillis() + duration.toMillisPart();
    if (millis > 0) {
      var seconds = BigDecimal.valueOf(millis, MILLIS_DIGITS).stripTrailingZeros();
      words.add(seconds.toPlainString() + " s");
    }
    return String.join(" ", words);
  }

  private static void add(List<String> words, long count, String unit) {
    if (count > 0) {
      words.add(count + " " + unit);
    }
  }
}
