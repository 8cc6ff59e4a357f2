package gatebook.query.errors;

import gatebook.events.call.Gate;
import gatebook.query.counts.CountInterval;
import gatebook.query.counts.CountTable;
import gatebook.query.counts.Tally;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.View.Reached;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts the denials or errors of one query, in groups. */
final class ErrorCounter {
  private static final Comparator<Tally> LARGEST_FIRST =
      Comparator.comparingLong(Tally::times).thenComparingLong(Tally::lastPlace).reversed();

  private final Connection view;
  private final CountErrors query;
  private final Counted counted;
  private final TimeSpan recorded;
  private final ErrorTallies tallies;

  /** The members of the groups, each with the part of the time that it is. */
  private final Map<String, Optional<CountInterval>> members = new LinkedHashMap<>();

  ErrorCounter(Connection view, CountErrors query, RecordedTime recordedTime) throws SQLException {
    this.view = view;
    this.query = query;
    this.counted = query.filter().counted();
    for (ErrorDimension dimension : query.dimensions()) {
      dimension.members().forEach(it -> members.put(it, dimension.interval()));
    }
    this.tallies =
        new ErrorTallies(
            view, query.filter(), members.keySet().stream().filter(it -> !isTime(it)).toList());
    // with the newest one even if clocks disagree
    this.recorded = recordedTime.until(Math.max(EpochNanos.of(query.now()), tallies.lastAt() + 1));
  }

  private boolean isTime(String member) {
    return Objects.requireNonNull(members.get(member)).isPresent();
  }

  ErrorCounts count(Reached reached) throws SQLException {
    Map<GroupValues, Tally> groups = groups();
    TimeSpan span = span(groups.values());
    Map<GroupValues, Tally> largest = new LinkedHashMap<>();
    groups.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(LARGEST_FIRST))
        .limit(query.limit())
        .forEach(it -> largest.put(it.getKey(), it.getValue()));
    return new ErrorCounts(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        partSeconds(span),
        groups.values().stream().mapToLong(Tally::times).sum(),
        withEveryGate(shown(largest, span)),
        groups.size() > query.limit());
  }

  private Map<GroupValues, Tally> groups() throws SQLException {
    Map<GroupValues, Tally> groups = new HashMap<>();
    TimeSpan filtered = TimeSpan.of(query.filter().since(), query.filter().until());
    Optional<CountInterval> shortest =
        members.values().stream().flatMap(Optional::stream).max(Comparator.naturalOrder());
    if (shortest.isPresent()) {
      tallies.readEach(
          shortest.get(),
          filtered,
          (part, values, tally) -> groups.merge(values(part, values), tally, Tally::plus));
    } else {
      tallies.read(
          List.of(filtered),
          (part, values, tally) -> groups.merge(values(part, values), tally, Tally::plus));
    }
    return groups;
  }

  private GroupValues values(long part, Map<String, @Nullable String> values) {
    List<@Nullable String> each = new ArrayList<>(members.size());
    members.forEach((member, interval) ->
        each.add(
            interval.isPresent()
                ? Long.toString(part - part % interval.get().nanos())
                : values.get(counted.column(member))));
    return new GroupValues(each);
  }

  /** The filter's time: from the first one on, and up to the end of the recorded time. */
  private TimeSpan span(Collection<Tally> groups) {
    long to = query.filter().until().map(EpochNanos::of).orElse(recorded.to());
    long first = groups.stream().mapToLong(Tally::firstAt).min().orElse(0);
    long from = Math.max(0, query.filter().since().map(EpochNanos::of).orElse(Math.min(first, to)));
    return new TimeSpan(from, Math.max(from, to));
  }

  private double partSeconds(TimeSpan span) {
    return query.by().stream()
        .filter(ErrorDimension::isTime)
        .mapToLong(ErrorDimension::seconds)
        .mapToObj(Double::valueOf)
        .min(Comparator.naturalOrder())
        .orElseGet(span::partSeconds);
  }

  private List<ErrorGroup> shown(Map<GroupValues, Tally> largest, TimeSpan span)
      throws SQLException {
    Map<Long, LastError> lastErrors = lastErrors(largest.values());
    ErrorTrends trends = new ErrorTrends(tallies, this::values, largest, span, recorded);
    trends.read(query.comparison());
    List<ErrorGroup> shown = new ArrayList<>();
    largest.forEach((values, tally) -> {
      LastError last = Objects.requireNonNull(lastErrors.get(tally.lastPlace()));
      long lastAt = counted == Counted.DENIALS ? last.at : tally.lastAt();
      shown.add(
          new ErrorGroup(
              members(values),
              tally.times(),
              EpochNanos.toInstant(tally.firstAt()).toString(),
              EpochNanos.toInstant(lastAt).toString(),
              last.call,
              trends.trend(values),
              trends.rate(values),
              trends.sparkline(values)));
    });
    return shown;
  }

  private Map<String, @Nullable Object> members(GroupValues values) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    int at = 0;
    for (String member : members.keySet()) {
      shown.put(member, ErrorGroup.shown(member, values.each().get(at++)));
    }
    return shown;
  }

  /** The denial or error at the last place of a group. */
  private record LastError(long at, @Nullable UUID call) {}

  private Map<Long, LastError> lastErrors(Collection<Tally> of) throws SQLException {
    Map<Long, LastError> last = new HashMap<>();
    if (!of.isEmpty()) {
      Object[] places = of.stream().map(Tally::lastPlace).toArray();
      for (CountTable table : counted.tables()) {
        addErrors(table, places, last);
      }
    }
    return last;
  }

  private void addErrors(CountTable table, Object[] places, Map<Long, LastError> errors)
      throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT place, %s, call FROM %s WHERE place = ANY(?)"
                .formatted(table.at(), table.rows()))) {
      select.setArray(1, view.createArrayOf("BIGINT", places));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          errors.put(row.getLong(1), new LastError(row.getLong(2), row.getObject(3, UUID.class)));
        }
      }
    }
  }

  /** Adds the gates that denied nothing, with a count of zero, to all denials by gate. */
  private List<ErrorGroup> withEveryGate(List<ErrorGroup> groups) {
    String gate = ErrorDimension.GATE.word();
    if (counted != Counted.DENIALS
        || !query.dimensions().equals(List.of(ErrorDimension.GATE))
        || query.filter().members().containsKey(gate)) {
      return groups;
    }
    return Arrays.stream(Gate.values())
        .map(it ->
            groups.stream()
                .filter(group -> it.word().equals(group.members().get(gate)))
                .findFirst()
                .orElseGet(() -> ErrorGroup.empty(Map.of(gate, it.word()))))
        .toList();
  }
}
