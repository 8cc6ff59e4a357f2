package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.faults.FaultQueries.FaultCounts;
import gatebook.query.faults.FaultQueries.Groups;
import gatebook.query.faults.FaultQueries.Rates;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowFilter;
import gatebook.query.projection.View.Reached;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answers about faults, computed from the row of each fault. */
final class RowFaults {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  private final Connection view;
  private final Reached reached;
  private final ListFaults.Filter filter;
  private final List<FaultDimension> by;
  private final List<String> members;
  private final String columns;
  private final TimeSpan recorded;
  private final TimeSpan span;

  RowFaults(
      Connection view,
      Reached reached,
      ListFaults.Filter filter,
      List<FaultDimension> by,
      Instant now,
      RecordedTime recordedTime)
      throws SQLException {
    this.view = view;
    this.reached = reached;
    this.filter = filter;
    this.by = by;
    this.members = FaultDimension.columns(by);
    this.columns = members.stream().map(RowFaults::sql).collect(Collectors.joining(", "));
    this.recorded =
        recordedTime.until(Math.max(EpochNanos.of(now), edge("MAX", new RowFilter()) + 1));
    this.span = span();
  }

  private static String sql(String column) {
    long nanos = FaultDimension.partNanos(column);
    return nanos == 0 ? column : "at - MOD(at, %d)".formatted(nanos);
  }

  private long edge(String which, RowFilter rowFilter) throws SQLException {
    return number(
        "SELECT %s(at) FROM faults WHERE TRUE%s".formatted(which, rowFilter.sql()), rowFilter);
  }

  private long number(String sql, RowFilter rowFilter) throws SQLException {
    try (PreparedStatement select = view.prepareStatement(sql)) {
      int _ = rowFilter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private TimeSpan span() throws SQLException {
    long to = filter.until().map(EpochNanos::of).orElse(recorded.to());
    long from =
        filter.since().isPresent()
            ? EpochNanos.of(filter.since().get())
            : Math.min(edge("MIN", FaultSelection.rowFilter(filter, by)), to);
    long begin = Math.max(0, from);
    return new TimeSpan(begin, Math.max(begin, to));
  }

  private RowFilter in(TimeSpan time) {
    return FaultSelection.columnFilter(filter, by)
        .andIn(
            Optional.of(EpochNanos.toInstant(time.from())),
            Optional.of(EpochNanos.toInstant(time.to())));
  }

  long total() throws SQLException {
    RowFilter rowFilter = FaultSelection.rowFilter(filter, List.of());
    return number("SELECT SUM(times) FROM faults WHERE TRUE" + rowFilter.sql(), rowFilter);
  }

  FaultCounts counts(int limit) throws SQLException {
    List<FaultCount> found = read(limit + 1);
    return new FaultCounts(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        found.stream().limit(limit).toList(),
        found.size() > limit);
  }

  private List<FaultCount> read(int limit) throws SQLException {
    RowFilter rowFilter = in(span);
    List<FaultCount> groups = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, f.call FROM (SELECT SUM(times) AS n, MIN(at), MAX(at), MAX(place) AS last, %s FROM faults WHERE TRUE%s GROUP BY %s ORDER BY n DESC, last DESC LIMIT ?) g JOIN faults f ON f.place = g.last ORDER BY g.n DESC, g.last DESC"
                .formatted(columns, rowFilter.sql(), columns))) {
      select.setInt(rowFilter.set(select, 1), limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groups.add(
              new FaultCount(
                  values(row, 5),
                  row.getLong(1),
                  EpochNanos.toInstant(row.getLong(2)).toString(),
                  EpochNanos.toInstant(row.getLong(3)).toString(),
                  row.getObject("call", UUID.class)));
        }
      }
    }
    return groups;
  }

  private Map<String, JsonNode> values(ResultSet row, int first) throws SQLException {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    int at = first;
    for (String member : members) {
      String value = row.getString(at++);
      if (value != null) {
        values.put(member, FaultCount.memberJson(member, value));
      }
    }
    return values;
  }

  Rates rates(int limit) throws SQLException {
    List<FaultCount> found = read(limit + 1);
    Map<Map<String, JsonNode>, long[]> sparklines =
        parts(span, "(at - %d) / %d".formatted(span.from(), span.partNanos()));
    TimeSpan lastDay = new TimeSpan(Math.max(0, span.to() - HOUR - DAY), span.to());
    Map<Map<String, JsonNode>, long[]> hours =
        parts(lastDay, "CASE WHEN at >= %d THEN 1 ELSE 0 END".formatted(span.to() - HOUR));
    long end = Math.min(span.to() - HOUR, recorded.to());
    long before = Math.max(0, end - Math.max(span.to() - HOUR - DAY, recorded.from()));
    List<FaultRate> rates = new ArrayList<>();
    for (FaultCount count : found.subList(0, Math.min(found.size(), limit))) {
      long[] rate = hours.getOrDefault(count.members(), new long[TimeSpan.PARTS]);
      rates.add(
          new FaultRate(
              count,
              Trend.ofRates(rate[1], rate[0], before),
              rate[1],
              rate[0],
              (double) before / HOUR,
              list(sparklines.getOrDefault(count.members(), new long[TimeSpan.PARTS]))));
    }
    return new Rates(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        span.partSeconds(),
        rates,
        found.size() > limit);
  }

  private static List<Long> list(long[] counts) {
    return Arrays.stream(counts).boxed().toList();
  }

  private Map<Map<String, JsonNode>, long[]> parts(TimeSpan time, String part) throws SQLException {
    Map<Map<String, JsonNode>, long[]> parts = new HashMap<>();
    RowFilter rowFilter = in(time);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT SUM(times), %s AS part, %s FROM faults WHERE TRUE%s GROUP BY part, %s"
                .formatted(part, columns, rowFilter.sql(), columns))) {
      int _ = rowFilter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          parts.computeIfAbsent(values(row, 3), _ -> new long[TimeSpan.PARTS])[row.getInt(2)] +=
              row.getLong(1);
        }
      }
    }
    return parts;
  }

  /** The groups of a fingerprint each; it is the only dimension. */
  Groups groups(int limit) throws SQLException {
    List<FaultCount> found = read(limit + 1);
    Map<Map<String, JsonNode>, long[]> sparklines =
        parts(span, "(at - %d) / %d".formatted(span.from(), span.partNanos()));
    Trend.Recorded recordedParts = span.recordedParts(recorded);
    List<FaultGroup> groups = new ArrayList<>();
    for (FaultCount count : found.subList(0, Math.min(found.size(), limit))) {
      long[] sparkline = sparklines.getOrDefault(count.members(), new long[TimeSpan.PARTS]);
      Map<String, JsonNode> names = count.members();
      groups.add(
          new FaultGroup(
              Objects.requireNonNull(text(names.get("fingerprint"))),
              Objects.requireNonNull(text(names.get("dialect"))),
              names.get("code"),
              Objects.requireNonNull(text(names.get("fault"))),
              text(names.get("gate")),
              text(names.get("target")),
              count.count(),
              count.firstAt(),
              count.lastAt(),
              count.lastCallId(),
              Trend.of(sparkline, recordedParts),
              list(sparkline)));
    }
    return new Groups(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        span.partSeconds(),
        groups,
        found.size() > limit);
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null ? null : value.asText();
  }
}
