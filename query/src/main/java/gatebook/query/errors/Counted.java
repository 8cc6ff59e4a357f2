package gatebook.query.errors;

import gatebook.query.counts.CountTable;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is counted of the rows of errors. A row has a denial, an error response, or both, each with
 * a time of its own. What only a candidate would deny has rows of its own.
 */
public enum Counted {
  /** Calls that a gate denied. Their keys are few, however many targets are named. */
  DENIALS(
      new CountTable(
          "denial_counts",
          "errors",
          "denied_at",
          "denial_key",
          List.of("gate", "reason", "dialect", "code")),
      List.of(
          ErrorDimension.GATE,
          ErrorDimension.TOOL,
          ErrorDimension.PRINCIPAL,
          ErrorDimension.REASON,
          ErrorDimension.CODE,
          ErrorDimension.MINUTE,
          ErrorDimension.HOUR,
          ErrorDimension.DAY)),
  /**
   * Calls that an observed candidate would deny: those that the gates denied, too, and the others.
   * They are counted from their rows, of which the counts have the times and the places only.
   */
  OBSERVED(
      List.of(
          new CountTable(
              "denial_counts", "errors", "denied_at", "denial_key", ObservedDenial.GROUPED),
          new CountTable(
              "observed_counts",
              ObservedDenial.TABLE,
              ObservedDenial.AT,
              "NULL",
              ObservedDenial.GROUPED)),
      List.of(
          ErrorDimension.GATE,
          ErrorDimension.TOOL,
          ErrorDimension.PRINCIPAL,
          ErrorDimension.REASON,
          ErrorDimension.MINUTE,
          ErrorDimension.HOUR,
          ErrorDimension.DAY)),
  /** Error responses, and counts of refused messages. */
  ERRORS(
      new CountTable(
          "error_counts",
          "errors",
          "at",
          "error_key",
          List.of("fingerprint", "dialect", "code", "fault", "gate", "target", "agent", "skill")),
      List.of(
          ErrorDimension.FINGERPRINT,
          ErrorDimension.FAULT,
          ErrorDimension.CODE,
          ErrorDimension.GATE,
          ErrorDimension.TARGET,
          ErrorDimension.AGENT,
          ErrorDimension.SKILL,
          ErrorDimension.MINUTE,
          ErrorDimension.HOUR,
          ErrorDimension.DAY));

  /** The columns of which the values are kept when events are dropped. */
  private static final Set<String> KEPT = Set.of("gate", "reason", "dialect", "code", "fault");

  @SuppressWarnings("ImmutableEnumChecker") // a list of records of constants
  private final List<CountTable> tables;

  @SuppressWarnings("ImmutableEnumChecker") // a list of constants
  private final List<ErrorDimension> dimensions;

  Counted(CountTable counts, List<ErrorDimension> dimensions) {
    this(List.of(counts), dimensions);
  }

  Counted(List<CountTable> tables, List<ErrorDimension> dimensions) {
    this.tables = tables;
    this.dimensions = dimensions;
  }

  /** The counts of the rows that have it. */
  CountTable counts() {
    return tables.getFirst();
  }

  /** The same of each table that has such rows. */
  List<CountTable> tables() {
    return tables;
  }

  /** The column of a member that is no part of the time. */
  String column(String member) {
    String column = ErrorDimension.column(member);
    return this == OBSERVED && !member.equals(ErrorDimension.PRINCIPAL.word())
        ? "observed_" + column
        : column;
  }

  /** All tables of counts. */
  static List<CountTable> countTables() {
    return List.of(DENIALS.counts(), OBSERVED.tables.getLast(), ERRORS.counts());
  }

  /** The dimensions by which it can be grouped; the first one is the default. */
  public List<ErrorDimension> dimensions() {
    return dimensions;
  }

  /** Whether dropped ones still have the values of these columns. */
  boolean areKept(Collection<String> columns) {
    return this != OBSERVED && KEPT.containsAll(columns);
  }

  /** The members of groups for which a filter may have conditions. */
  Set<String> members() {
    return dimensions.stream()
        .filter(it -> !it.isTime())
        .flatMap(it -> it.members().stream())
        .collect(Collectors.toSet());
  }
}
