package gatebook.query.errors;

import gatebook.events.call.Dialect;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.ColumnFilter.Anything;
import gatebook.query.projection.ColumnFilter.Exactly;
import gatebook.query.projection.RowFilter;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A filter for denials or for errors: a group of {@link CountErrors} has those that match its
 * members.
 *
 * @param since recorded at or after this time
 * @param until recorded before this time
 * @param members conditions by the member of a group, with texts as values; one for an agent or a
 *     skill leaves out all errors but those of agents
 */
public record ErrorFilter(
    Counted counted,
    Optional<Instant> since,
    Optional<Instant> until,
    Map<String, ColumnFilter> members) {

  public ErrorFilter {
    Map<String, ColumnFilter> conditions = new LinkedHashMap<>(members);
    conditions.values().removeIf(Anything.class::isInstance);
    members = Map.copyOf(conditions);
    if (!counted.members().containsAll(members.keySet())) {
      throw new IllegalArgumentException("no members of " + counted + ": " + members.keySet());
    }
  }

  /** Everything. */
  public static ErrorFilter all(Counted counted) {
    return new ErrorFilter(counted, Optional.empty(), Optional.empty(), Map.of());
  }

  /** The columns that have conditions. */
  Collection<String> columns() {
    return members.keySet().stream().map(counted::column).toList();
  }

  /** Whether dropped ones are counted, too, where they are grouped by these members. */
  boolean countsDropped(Collection<String> by) {
    return counted.areKept(columns()) && counted.areKept(by.stream().map(counted::column).toList());
  }

  /**
   * The rows of any time that match, where they are grouped by these members. Those of dropped
   * events are left out when they lack what the filter or the groups need.
   */
  RowFilter rowFilter(Collection<String> by) {
    RowFilter rowFilter = new RowFilter();
    if (!countsDropped(by)) {
      rowFilter.and(DroppedErrorRows.NOT_DROPPED);
    }
    if (counted == Counted.OBSERVED) {
      rowFilter.and(ObservedDenial.IS_PRESENT);
    }
    members.forEach(
        (member, condition) -> rowFilter.and(counted.column(member), stored(member, condition)));
    return by.stream().anyMatch(ErrorDimension::isOfAgents)
            || members.keySet().stream().anyMatch(ErrorDimension::isOfAgents)
        ? rowFilter.and("dialect", new Exactly(Dialect.A2A.word()))
        : rowFilter;
  }

  /** The rows of any time that match and that a list shows. */
  RowFilter listedRowFilter(Collection<String> by) {
    RowFilter listed = rowFilter(by);
    return countsDropped(by) ? listed.and(DroppedErrorRows.NOT_DROPPED) : listed;
  }

  private static ColumnFilter stored(String member, ColumnFilter condition) {
    return member.equals(ErrorDimension.FINGERPRINT.word())
            && condition instanceof Exactly(String text)
        ? new Exactly(ErrorKey.fingerprintNumber(text))
        : condition;
  }
}
