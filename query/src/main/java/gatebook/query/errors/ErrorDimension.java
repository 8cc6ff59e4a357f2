package gatebook.query.errors;

import gatebook.query.counts.CountInterval;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The dimensions by which errors and denials can be grouped. */
public enum ErrorDimension {
  /** Together with all that the errors of a fingerprint have in common. */
  FINGERPRINT("fingerprint"),
  FAULT("fault"),
  /** Together with the dialect: a code alone has no meaning. */
  CODE("code"),
  GATE("gate"),
  TARGET("target"),
  /** The target, as denials name it. */
  TOOL("tool"),
  AGENT("agent"),
  SKILL("skill"),
  PRINCIPAL("principal"),
  REASON("reason"),
  /** The UTC minute, shown as its first moment. */
  MINUTE("minute", CountInterval.MINUTE),
  /** The UTC hour, shown as its first moment. */
  HOUR("hour", CountInterval.HOUR),
  /** The UTC day, shown as its first moment. */
  DAY("day", CountInterval.DAY);

  private final String word;
  private final @Nullable CountInterval interval;

  ErrorDimension(String word) {
    this(word, null);
  }

  ErrorDimension(String word, @Nullable CountInterval interval) {
    this.word = word;
    this.interval = interval;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** Whether it is a part of the time, so that its groups have no trend. */
  public boolean isTime() {
    return interval != null;
  }

  /** The part of the time that it is; empty for the other dimensions. */
  Optional<CountInterval> interval() {
    return Optional.ofNullable(interval);
  }

  /** The length of a part of the time; 0 for the other dimensions. */
  public long seconds() {
    return interval == null ? 0 : TimeUnit.NANOSECONDS.toSeconds(interval.nanos());
  }

  /** The members that a group has because of it. */
  List<String> members() {
    return switch (this) {
      case FINGERPRINT -> List.of(word, "dialect", "code", "fault", "gate", "target");
      case CODE -> List.of("dialect", word);
      default -> List.of(word);
    };
  }

  /** The column of a member that is no part of the time. */
  static String column(String member) {
    return member.equals(TOOL.word) ? TARGET.word : member;
  }

  /** Whether only calls of agents have a member. */
  static boolean isOfAgents(String member) {
    return member.equals(AGENT.word) || member.equals(SKILL.word);
  }
}
