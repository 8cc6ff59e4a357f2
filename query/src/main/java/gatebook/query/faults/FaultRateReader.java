package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.faults.FaultQueries.Span;
import gatebook.query.projection.EpochNanos;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the rates of faults from the view. */
final class FaultRateReader {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  private final Connection view;
  private final Span span;
  private final Span recorded;
  private final List<String> columns;
  private final String condition;
  private final Map<List<@Nullable String>, Found> groups = new HashMap<>();

  /** {@code recorded} is what the journal recorded. */
  FaultRateReader(Connection view, List<FaultDimension> by, Span span, Span recorded) {
    this.view = view;
    this.span = span;
    this.recorded = recorded;
    this.columns = by.stream().flatMap(dimension -> dimension.columns().stream()).toList();
    this.condition =
        "at >= ? AND at < ?"
            + (by.stream().anyMatch(FaultDimension::isOfAgents) ? " AND dialect = 'a2a'" : "");
  }

  /** A group, as far as it is read. */
  private static final class Found {
    private final List<@Nullable String> values;
    private final long[] sparkline = new long[FaultQueries.PARTS];
    private long firstAt = Long.MAX_VALUE;
    private long lastAt;
    private long lastPlace;
    private long lastHour;
    private long dayBefore;

    Found(List<@Nullable String> values) {
      this.values = values;
    }

    long count() {
      return Arrays.stream(sparkline).sum();
    }

    long lastPlace() {
      return lastPlace;
    }
  }

  /** The groups with the most faults in the span, and at most so many; the largest first. */
  List<FaultRate> read(int limit) throws SQLException {
    countParts();
    countRates();
    List<Found> shown =
        groups.values().stream()
            .sorted(
                Comparator.comparingLong(Found::count)
                    .thenComparingLong(Found::lastPlace)
                    .reversed())
            .limit(limit)
            .toList();
    Map<Long, UUID> calls = calls(shown);
    return shown.stream().map(found -> rate(found, calls.get(found.lastPlace))).toList();
  }

  private void countParts() throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, (at - ?) / ? AS part, SUM(times), MIN(at), MAX(at), MAX(place) FROM faults WHERE %s GROUP BY %s, part"
                .formatted(names(), condition, names()))) {
      select.setLong(1, span.from());
      select.setLong(2, span.partNanos());
      select.setLong(3, span.from());
      select.setLong(4, span.to());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          int at = columns.size();
          Found found = groups.computeIfAbsent(values(row), Found::new);
          found.sparkline[row.getInt(++at)] += row.getLong(++at);
          found.firstAt = Math.min(found.firstAt, row.getLong(++at));
          found.lastAt = Math.max(found.lastAt, row.getLong(++at));
          found.lastPlace = Math.max(found.lastPlace, row.getLong(++at));
        }
      }
    }
  }

  /** The rates end with the span, and may begin before it. */
  private void countRates() throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, at >= ? AS late, SUM(times) FROM faults WHERE %s GROUP BY %s, late"
                .formatted(names(), condition, names()))) {
      select.setLong(1, span.to() - HOUR);
      select.setLong(2, span.to() - HOUR - DAY);
      select.setLong(3, span.to());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Found found = groups.get(values(row));
          if (found != null) {
            int at = columns.size();
            if (row.getBoolean(++at)) {
              found.lastHour = row.getLong(++at);
            } else {
              found.dayBefore = row.getLong(++at);
            }
          }
        }
      }
    }
  }

  private Map<Long, UUID> calls(List<Found> shown) throws SQLException {
    Map<Long, UUID> calls = new HashMap<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT place, call FROM faults WHERE call IS NOT NULL AND place = ANY(?)")) {
      select.setArray(
          1, view.createArrayOf("BIGINT", shown.stream().map(Found::lastPlace).toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          calls.put(row.getLong(1), row.getObject(2, UUID.class));
        }
      }
    }
    return calls;
  }

  private FaultRate rate(Found found, @Nullable UUID lastCall) {
    long recordedNanos = recordedDayBefore();
    return new FaultRate(
        members(found.values),
        found.count(),
        EpochNanos.toInstant(found.firstAt).toString(),
        EpochNanos.toInstant(found.lastAt).toString(),
        lastCall,
        Trend.ofRates(found.lastHour, found.dayBefore, recordedNanos),
        found.lastHour,
        found.dayBefore,
        (double) recordedNanos / HOUR,
        Arrays.stream(found.sparkline).boxed().toList());
  }

  /** How much of the day before the last hour the journal recorded. */
  private long recordedDayBefore() {
    long to = Math.min(span.to() - HOUR, recorded.to());
    return Math.max(0, to - Math.max(span.to() - HOUR - DAY, recorded.from()));
  }

  private Map<String, JsonNode> members(List<@Nullable String> values) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      String value = values.get(i);
      if (value != null) {
        members.put(columns.get(i), FaultRate.memberJson(columns.get(i), value));
      }
    }
    return members;
  }

  private String names() {
    return columns.stream().collect(Collectors.joining(", "));
  }

  private List<@Nullable String> values(ResultSet row) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (String column : columns) {
      values.add(row.getString(column));
    }
    return values;
  }
}
