package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many denials or errors of one kind were dropped for good, hour by hour.
 *
 * @param gate that denied; absent where none did
 * @param reason of a denial; absent for an error
 * @param dialect of what the caller was told; absent, with the code, where it is not known
 * @param code a number, or {@code other} for an error code that the dialect does not define
 * @param fault the kind of fault of an error; absent for a denial
 * @param hours for each hour in UTC with at least one, in integers of variable length: how many
 *     hours it is after the one before, the first after 1970 began, and how many there were. Seven
 *     bits are in a byte, the lowest first, and the highest bit is set where more follow
 */
public record DroppedCount(
    Kind kind,
    @Nullable Gate gate,
    @Nullable DenialReason reason,
    @Nullable Dialect dialect,
    @Nullable String code,
    @Nullable String fault,
    Bytes hours) {
  private static final long HOUR_SECONDS = Duration.ofHours(1).toSeconds();
  private static final Bytes NONE = Bytes.of(new byte[0]);

  /** What was counted. */
  public enum Kind implements Word {
    /** A call that a gate denied, at the time of the denial. */
    DENIAL("denial"),
    /** An error response, at the time at which it was recorded. */
    ERROR("error");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** A kind of which none was counted yet. */
  public DroppedCount(
      Kind kind,
      @Nullable Gate gate,
      @Nullable DenialReason reason,
      @Nullable Dialect dialect,
      @Nullable String code,
      @Nullable String fault) {
    this(kind, gate, reason, dialect, code, fault, NONE);
  }

  /**
   * The same kind with other counts.
   *
   * @param byHour by the first moment of each hour
   */
  public DroppedCount with(SortedMap<Instant, Long> byHour) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    long[] last = {0};
    byHour.forEach((hour, count) -> {
      long number = Math.floorDiv(hour.getEpochSecond(), HOUR_SECONDS);
      VariableIntegers.write(encoded, number - last[0]);
      VariableIntegers.write(encoded, count);
      last[0] = number;
    });
    return new DroppedCount(
        kind, gate, reason, dialect, code, fault, Bytes.of(encoded.toByteArray()));
  }

  /** How many there were in each hour, by its first moment. */
  public SortedMap<Instant, Long> byHour() {
    SortedMap<Instant, Long> byHour = new TreeMap<>();
    VariableIntegers integers = new VariableIntegers(hours.toArray());
    long number = 0;
    while (integers.hasNext()) {
      number += integers.next();
      byHour.put(Instant.ofEpochSecond(number * HOUR_SECONDS), integers.next());
    }
    return byHour;
  }
}
