package gatebook.query.faults;

import gatebook.query.counts.CountInterval;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The dimensions by which faults can be grouped. */
public enum FaultDimension {
  /** Together with all that the errors of a fingerprint have in common. */
  FINGERPRINT("fingerprint"),
  FAULT("fault"),
  /** Together with the dialect: a code alone has no meaning. */
  CODE("code"),
  GATE("gate"),
  TARGET("target"),
  AGENT("agent"),
  SKILL("skill"),
  /** The UTC minute, shown as its first moment. */
  MINUTE("minute", 60),
  /** The UTC hour, shown as its first moment. */
  HOUR("hour", 3_600),
  /** The UTC day, shown as its first moment. */
  DAY("day", 86_400);

  private final String word;
  private final int seconds;

  FaultDimension(String word) {
    this(word, 0);
  }

  FaultDimension(String word, int seconds) {
    this.word = word;
    this.seconds = seconds;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** Whether it is a part of the time, so that its groups have no rate. */
  public boolean isTime() {
    return seconds > 0;
  }

  /** The length of a part of the time. */
  public int seconds() {
    return seconds;
  }

  /** The columns to group by it, which are also the members of a group. */
  private List<String> columns() {
    return switch (this) {
      case FINGERPRINT -> List.of(word, "dialect", "code", "fault", "gate", "target");
      case CODE -> List.of("dialect", word);
      case FAULT, GATE, TARGET, AGENT, SKILL, MINUTE, HOUR, DAY -> List.of(word);
    };
  }

  /** The columns to group by these dimensions. */
  static List<String> columns(List<FaultDimension> by) {
    return by.stream().flatMap(dimension -> dimension.columns().stream()).distinct().toList();
  }

  /** The shortest of the parts of the time that are among these dimensions. */
  static Optional<CountInterval> interval(List<FaultDimension> by) {
    return by.stream()
        .flatMap(dimension -> dimension.interval().stream())
        .max(Comparator.naturalOrder());
  }

  private Optional<CountInterval> interval() {
    return switch (this) {
      case FINGERPRINT, FAULT, CODE, GATE, TARGET, AGENT, SKILL -> Optional.empty();
      case MINUTE -> Optional.of(CountInterval.MINUTE);
      case HOUR -> Optional.of(CountInterval.HOUR);
      case DAY -> Optional.of(CountInterval.DAY);
    };
  }

  /** The length of the part of the time that a column has; 0 for the other columns. */
  static long partNanos(String column) {
    return Arrays.stream(values())
        .filter(dimension -> dimension.word.equals(column))
        .mapToLong(dimension -> TimeUnit.SECONDS.toNanos(dimension.seconds))
        .sum();
  }

  /** Whether only calls of agents have it. */
  boolean isOfAgents() {
    return this == AGENT || this == SKILL;
  }
}
