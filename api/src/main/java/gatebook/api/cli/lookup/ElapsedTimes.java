package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.Durations;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The elapsed times of a call's steps. All times are cut to one unit, and a step is the difference
 * of two of them, so that the steps as shown add up.
 */
final class ElapsedTimes {

  private static final long TENTH = 100;
  private static final long MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final long totalMicros;
  private long micros;

  private ElapsedTimes(long totalMicros) {
    this.totalMicros = totalMicros;
  }

  static ElapsedTimes of(JsonNode events) {
    long totalMicros = 0;
    for (JsonNode event : events) {
      for (JsonNode part : event.path("spent")) {
        totalMicros += part.path("micros").asLong();
      }
    }
    return new ElapsedTimes(totalMicros);
  }

  /** The total of all steps. */
  String total() {
    return text(units(totalMicros));
  }

  /** Advances by a step and returns its duration. */
  String advance(long more) {
    long before = units(micros);
    micros += more;
    return text(units(micros) - before);
  }

  String sinceStart() {
    return text(units(micros));
  }

  /**
   * Short calls are shown to a tenth of a millisecond, since many of their steps take less than
   * one.
   */
  private boolean isShort() {
    return totalMicros < TimeUnit.SECONDS.toMicros(1);
  }

  private long units(long elapsed) {
    return elapsed / (isShort() ? TENTH : MILLI);
  }

  private String text(long units) {
    return isShort()
        ? "%d.%d ms".formatted(units / 10, units % 10)
        : Durations.of(Duration.ofMillis(units));
  }
}
