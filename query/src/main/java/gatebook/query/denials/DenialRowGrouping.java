package gatebook.query.denials;

import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowFilter;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups denials by reading the row of each: by any dimension, and with any filter. */
final class DenialRowGrouping implements DenialGrouping {
  private final Connection view;
  private final CountDenials query;
  private final RecordedTime recordedTime;
  private final RowFilter rowFilter;

  DenialRowGrouping(Connection view, CountDenials query, RecordedTime recordedTime) {
    this.view = view;
    this.query = query;
    this.recordedTime = recordedTime;
    this.rowFilter = DenialSelection.rowFilter(query.filter());
  }

  @Override
  public long total() throws SQLException {
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

  @Override
  public List<DenialGroup> largest(int limit) throws SQLException {
    TimeSpan.Halves halves =
        DenialCounter.halves(
            query, recordedTime, edge("MAX", new RowFilter()), edge("MIN", rowFilter));
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
      select.setInt(rowFilter.set(select, 5), limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groups.add(group(row, halves.nanos()));
        }
      }
    }
    return groups;
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
}
