package gatebook.query.denials;

import gatebook.query.counts.CountInterval;
import gatebook.query.counts.CountReader;
import gatebook.query.counts.CountReader.TallyTaker;
import gatebook.query.counts.Tally;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowFilter;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Groups denials by the counts that the view keeps. Denials whose error response is not known yet
 * are not in them, and are read from their rows, which are few.
 */
final class DenialTallyGrouping implements DenialGrouping {
  private static final Comparator<Group> LARGEST_FIRST =
      Comparator.comparingLong((Group group) -> group.tally.times())
          .thenComparingLong(group -> group.tally.lastPlace())
          .reversed();

  private final Connection view;
  private final CountReader countReader;
  private final CountDenials query;
  private final TimeSpan span;
  private final RowFilter columnFilter;
  private final Map<Map<String, @Nullable Object>, Group> groups = new LinkedHashMap<>();

  private DenialTallyGrouping(Connection view, CountDenials query) throws SQLException {
    this.view = view;
    this.query = query;
    this.span = TimeSpan.of(query.filter().since(), query.filter().until());
    this.columnFilter = DenialSelection.columnFilter(query.filter());
    this.countReader = new CountReader(view, DenialRows.COUNTS, columnFilter);
  }

  /** The number of denials that match a filter. */
  static long total(Connection view, ListDenials.Filter filter) throws SQLException {
    DenialTallyGrouping grouping =
        new DenialTallyGrouping(view, new CountDenials(filter, List.of(), Instant.EPOCH, 0, 0));
    grouping.readGroups(grouping::add);
    return grouping.total();
  }

  static DenialTallyGrouping read(Connection view, CountDenials query, RecordedTime recordedTime)
      throws SQLException {
    DenialTallyGrouping grouping = new DenialTallyGrouping(view, query);
    grouping.readGroups(grouping::add);
    if (query.by().stream().noneMatch(DenialDimension::isTime)) {
      grouping.readHalves(
          DenialCounter.halves(
              query, recordedTime, grouping.countReader.lastAt(), grouping.firstAt()));
    }
    return grouping;
  }

  /** A group as far as it was read. */
  private static final class Group {
    private final Map<String, @Nullable Object> members;
    private Tally tally;
    private long earlier;
    private long later;
    private @Nullable Trend trend;

    Group(Map<String, @Nullable Object> members, Tally tally) {
      this.members = members;
      this.tally = tally;
    }
  }

  private void readGroups(TallyTaker tallyTaker) throws SQLException {
    Optional<CountInterval> interval =
        query.by().stream().flatMap(it -> it.interval().stream()).max(Comparator.naturalOrder());
    if (interval.isPresent()) {
      countReader.readEach(interval.get(), span, tallyTaker);
    } else {
      countReader.read(List.of(span), tallyTaker);
    }
    readUntold(span, tallyTaker);
  }

  /** Reads the denials without a known error response; the part is the time. */
  private void readUntold(TimeSpan in, TallyTaker tallyTaker) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT d.position, at, gate, reason, dialect, code FROM untold u JOIN denials d ON d.position = u.denial WHERE at >= ? AND at < ?%s"
                .formatted(columnFilter.sql()))) {
      select.setLong(1, in.from());
      select.setLong(2, in.to());
      int _ = columnFilter.set(select, 3);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          long at = row.getLong(2);
          Map<String, @Nullable String> values = new HashMap<>();
          for (String column : DenialRows.COUNTS.columns()) {
            values.put(column, row.getString(column));
          }
          tallyTaker.take(at, values, new Tally(1, at, at, row.getLong(1)));
        }
      }
    }
  }

  private void add(long part, Map<String, @Nullable String> values, Tally tally) {
    Map<String, @Nullable Object> members = members(part, values);
    Group group = groups.get(members);
    if (group == null) {
      groups.put(members, new Group(members, tally));
    } else {
      group.tally = group.tally.plus(tally);
    }
  }

  private Map<String, @Nullable Object> members(long part, Map<String, @Nullable String> values) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (DenialDimension dimension : query.by()) {
      for (String member : dimension.members()) {
        members.put(
            member, dimension.isTime() ? dimension.begin(part) : value(member, values.get(member)));
      }
    }
    return members;
  }

  private static @Nullable Object value(String member, @Nullable String value) {
    return value == null || !member.equals("code") ? value : Integer.valueOf(value);
  }

  private long firstAt() {
    return groups.values().stream().mapToLong(it -> it.tally.firstAt()).min().orElse(0);
  }

  private long lastAt() {
    return groups.values().stream().mapToLong(it -> it.tally.lastAt()).max().orElse(0);
  }

  private void readHalves(TimeSpan.Halves halves) throws SQLException {
    TimeSpan earlier = halves.earlier().within(span);
    TimeSpan later = halves.later().within(span);
    count(earlier, (group, times) -> group.earlier += times);
    if (earlier.from() <= firstAt() && later.from() == earlier.to() && later.to() > lastAt()) {
      groups.values().forEach(group -> group.later = group.tally.times() - group.earlier);
    } else {
      count(later, (group, times) -> group.later += times);
    }
    for (Group group : groups.values()) {
      group.trend = Trend.ofHalves(group.earlier, group.later, halves.nanos());
    }
  }

  private void count(TimeSpan in, ObjLongConsumer<Group> counter) throws SQLException {
    TallyTaker tallyTaker =
        (_, values, tally) ->
            counter.accept(Objects.requireNonNull(groups.get(members(0, values))), tally.times());
    countReader.read(List.of(in), tallyTaker);
    readUntold(in, tallyTaker);
  }

  @Override
  public long total() {
    return groups.values().stream().mapToLong(it -> it.tally.times()).sum();
  }

  @Override
  public List<DenialGroup> largest(int limit) throws SQLException {
    List<Group> largest = groups.values().stream().sorted(LARGEST_FIRST).limit(limit).toList();
    Map<Long, LastDenial> lastDenials = lastDenials(largest);
    return largest.stream()
        .map(group -> {
          LastDenial last = Objects.requireNonNull(lastDenials.get(group.tally.lastPlace()));
          return new DenialGroup(
              group.members,
              group.tally.times(),
              EpochNanos.toInstant(group.tally.firstAt()).toString(),
              EpochNanos.toInstant(last.at).toString(),
              last.call,
              group.trend);
        })
        .toList();
  }

  private record LastDenial(long at, UUID call) {}

  private Map<Long, LastDenial> lastDenials(List<Group> of) throws SQLException {
    Map<Long, LastDenial> lastDenials = new HashMap<>();
    if (of.isEmpty()) {
      return lastDenials;
    }
    try (PreparedStatement select =
        view.prepareStatement("SELECT position, at, call FROM denials WHERE position = ANY(?)")) {
      Object[] positions = of.stream().map(group -> group.tally.lastPlace()).toArray();
      select.setArray(1, view.createArrayOf("BIGINT", positions));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          lastDenials.put(
              row.getLong(1), new LastDenial(row.getLong(2), row.getObject(3, UUID.class)));
        }
      }
    }
    return lastDenials;
  }
}
