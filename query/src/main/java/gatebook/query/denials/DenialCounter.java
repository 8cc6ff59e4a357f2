package gatebook.query.denials;

import gatebook.events.call.Gate;
import gatebook.query.denials.DenialQueries.Counts;
import gatebook.query.projection.ColumnFilter;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts the denials of one query. */
final class DenialCounter {
  private final Connection view;
  private final CountDenials query;
  private final RecordedTime recordedTime;
  private final RowFilter rowFilter;

  DenialCounter(Connection view, CountDenials query, RecordedTime recordedTime) {
    this.view = view;
    this.query = query;
    this.recordedTime = recordedTime;
    this.rowFilter = DenialSelection.rowFilter(query.filter());
  }

  Counts count(Reached reached) throws SQLException {
    List<DenialGroup> groups = groups();
    boolean more = groups.size() > query.limit();
    List<DenialGroup> shown = more ? groups.subList(0, query.limit()) : groups;
    return new Counts(reached, total(), isOfEveryGate() ? withEveryGate(shown) : shown, more);
  }

  private boolean isOfEveryGate() {
    return query.by().equals(List.of(DenialDimension.GATE))
        && query.filter().gate().equals(ColumnFilter.ANYTHING);
  }

  private long total() throws SQLException {
    return number("SELECT COUNT(*) FROM denials WHERE TRUE" + rowFilter.sql(), rowFilter)
        .orElse(0L);
  }

  /** The number that a query has in its only row; empty when it is null. */
  private Optional<Long> number(String sql, RowFilter filter) throws SQLException {
    try (PreparedStatement select = view.prepareStatement(sql)) {
      int _ = filter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return Optional.ofNullable(row.getObject(1, Long.class));
      }
    }
  }

  private List<DenialGroup> groups() throws SQLException {
    TimeSpan.Halves halves = halves();
    String columns =
        query.by().stream().map(DenialDimension::columns).collect(Collectors.joining(", "));
    List<DenialGroup> groups = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, d.at AS last_at, d.call AS last_call FROM (SELECT COUNT(*) AS n, MAX(position) AS last, MIN(at) AS first_at, COUNT(*) FILTER (WHERE at >= ? AND at < ?) AS earlier, COUNT(*) FILTER (WHERE at >= ? AND at < ?) AS later, %s FROM denials WHERE TRUE%s GROUP BY %s ORDER BY n DESC, last DESC LIMIT ?) g JOIN denials d ON d.position = g.last ORDER BY g.n DESC, g.last DESC"
                .formatted(columns, rowFilter.sql(), columns))) {
      select.setLong(1, halves.earlier().from());
      select.setLong(2, halves.earlier().to());
      select.setLong(3, halves.later().from());
      select.setLong(4, halves.later().to());
      select.setInt(rowFilter.set(select, 5), query.limit() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groups.add(group(row, halves.nanos()));
        }
      }
    }
    return groups;
  }

  /** The halves of the requested time, which begins with the first denial by default. */
  private TimeSpan.Halves halves() throws SQLException {
    long newest = edge("MAX", new RowFilter());
    TimeSpan recorded = recordedTime.until(Math.max(EpochNanos.of(query.now()), newest + 1));
    long to = query.filter().until().map(EpochNanos::of).orElse(recorded.to());
    Optional<Long> since = query.filter().since().map(EpochNanos::of);
    long from = Math.max(0, since.isPresent() ? since.get() : edge("MIN", rowFilter));
    return new TimeSpan(Math.min(from, to), to).halves(recorded);
  }

  private long edge(String which, RowFilter filter) throws SQLException {
    return number("SELECT %s(at) FROM denials WHERE TRUE%s".formatted(which, filter.sql()), filter)
        .orElse(0L);
  }

  private DenialGroup group(ResultSet row, long nanos) throws SQLException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    int column = 6;
    for (DenialDimension denialDimension : query.by()) {
      switch (denialDimension) {
        case GATE, TOOL, PRINCIPAL, REASON ->
            members.put(denialDimension.word(), row.getString(column++));
        case CODE -> {
          members.put("dialect", row.getString(column++));
          members.put(denialDimension.word(), row.getObject(column++, Integer.class));
        }
        case MINUTE, HOUR, DAY ->
            members.put(
                denialDimension.word(), EpochNanos.toInstant(row.getLong(column++)).toString());
      }
    }
    return new DenialGroup(
        members,
        row.getLong("n"),
        EpochNanos.toInstant(row.getLong("first_at")).toString(),
        EpochNanos.toInstant(row.getLong("last_at")).toString(),
        row.getObject("last_call", UUID.class),
        query.by().stream().anyMatch(DenialDimension::isTime)
            ? null
            : Trend.ofHalves(row.getLong("earlier"), row.getLong("later"), nanos));
  }

  /** Adds the gates that denied nothing, with a count of zero. */
  private static List<DenialGroup> withEveryGate(List<DenialGroup> groups) {
    return Arrays.stream(Gate.values())
        .map(gate ->
            groups.stream()
                .filter(denialGroup -> gate.word().equals(denialGroup.members().get("gate")))
                .findFirst()
                .orElseGet(() ->
                    new DenialGroup(
                        Map.of("gate", gate.word()), 0, null, null, null, Trend.UNCLEAR)))
        .toList();
  }
}
