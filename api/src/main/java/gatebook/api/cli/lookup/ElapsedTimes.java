package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;

/**
 * How far into a call its steps are. All times are cut to one unit, and a step is what lies between
 * two of them, so that the steps as they are shown add up.
 */
final class ElapsedTimes {

  private static final long TENTH = 100;
  private static final long MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final long whole;
  private long micros;

  private ElapsedTimes(long whole) {
    this.whole = whole;
  }

  static ElapsedTimes of(JsonNode events) {
    long whole = 0;
    for (JsonNode event : events) {
      for (JsonNode part : event.path("spent")) {
        whole += part.path("micros").asLong();
      }
    }
    return new ElapsedTimes(whole);
  }

  /** All steps together. */
  String whole() {
    return words(units(whole));
  }

  /** Goes on by a step. */
  String step(long more) {
    long before = units(micros);
    micros += more;
    return words(units(micros) - before);
  }

  String sinceStart() {
    return words(units(micros));
  }

  /** Short calls are shown to a tenth: many steps take less than a millisecond. */
  private boolean isShort() {
    return whole < TimeUnit.SECONDS.toMicros(1);
  }

  private long units(long of) {
    return of / (isShort() ? TENTH : MILLI);
  }

  private String words(long units) {
    return isShort() ? "%d.%d ms".formatted(units / 10, units % 10) : units + " ms";
  }
}
