package gatebook.query.denials;

import gatebook.query.counts.CountInterval;
import gatebook.query.projection.EpochNanos;
import java.util.List;
import java.util.Optional;

/** The dimensions by which denials can be grouped. */
public enum DenialDimension {
  GATE("gate", "gate"),
  TOOL("tool", "tool"),
  PRINCIPAL("principal", "principal"),
  REASON("reason", "reason"),
  /** Together with the dialect: a code alone has no meaning. */
  CODE("code", "dialect, code"),
  /** The UTC minute, shown as its first moment. */
  MINUTE("minute", "at - MOD(at, 60000000000)"),
  /** The UTC hour, shown as its first moment. */
  HOUR("hour", "at - MOD(at, 3600000000000)"),
  /** The UTC day, shown as its first moment. */
  DAY("day", "at - MOD(at, 86400000000000)");

  private final String word;
  private final String columns;

  DenialDimension(String word, String columns) {
    this.word = word;
    this.columns = columns;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** Whether it is a part of the time, so that its groups have no trend. */
  boolean isTime() {
    return interval().isPresent();
  }

  /** Whether its values are few, so that the view keeps counts by them. */
  boolean isCounted() {
    return switch (this) {
      case GATE, REASON, CODE, MINUTE, HOUR, DAY -> true;
      case TOOL, PRINCIPAL -> false;
    };
  }

  /** The members that a group has because of it. */
  List<String> members() {
    return this == CODE ? List.of("dialect", word) : List.of(word);
  }

  /** The beginning of the part of the time that contains a time, as operators see it. */
  String begin(long at) {
    long nanos = interval().orElseThrow().nanos();
    return EpochNanos.toInstant(at - at % nanos).toString();
  }

  /** The part of the time that it is; empty for the other dimensions. */
  Optional<CountInterval> interval() {
    return switch (this) {
      case GATE, TOOL, PRINCIPAL, REASON, CODE -> Optional.empty();
      case MINUTE -> Optional.of(CountInterval.MINUTE);
      case HOUR -> Optional.of(CountInterval.HOUR);
      case DAY -> Optional.of(CountInterval.DAY);
    };
  }

  /** The SQL columns to group by. */
  String columns() {
    return columns;
  }
}
