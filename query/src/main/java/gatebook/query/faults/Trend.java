package gatebook.query.faults;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** Where counts are going: the later half of a time against the earlier one. */
public enum Trend {
  /** There was none in the earlier half. */
  NEW("new"),
  RISING("rising"),
  STEADY("steady"),
  FALLING("falling");

  /** What is more than this much more, or less, is not steady. */
  private static final double FACTOR = 1.5;

  private final String word;

  Trend(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }

  static Trend of(long[] counts) {
    int middle = counts.length / 2;
    long earlier = Arrays.stream(counts, 0, middle).sum();
    long later = Arrays.stream(counts, middle, counts.length).sum();
    if (earlier == 0) {
      return NEW;
    }
    if (later > earlier * FACTOR) {
      return RISING;
    }
    return later * FACTOR < earlier ? FALLING : STEADY;
  }
}
