package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads counts of faults in groups from the view. */
final class FaultCountReader {
  private final Connection view;
  private final List<FaultDimension> by;
  private final ListFaults.Filter filter;
  private final List<String> members;
  private final String columns;

  FaultCountReader(Connection view, List<FaultDimension> by, ListFaults.Filter filter) {
    this.view = view;
    this.by = by;
    this.filter = filter;
    this.members = FaultDimension.columns(by);
    this.columns = members.stream().map(FaultDimension::sql).collect(Collectors.joining(", "));
  }

  /** The groups with the most faults, and at most so many; the largest first. */
  List<FaultCount> read(int limit) throws SQLException {
    RowFilter rowFilter = FaultSelection.rowFilter(filter, by);
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

  @FunctionalInterface
  interface GroupReader {
    /** Takes the number of a part, and the count of the group in it. */
    void take(Map<String, JsonNode> members, long part, long count);
  }

  /**
   * Counts the groups in parts of the time.
   *
   * @param part the number of the part in SQL, in which the time is {@code at}
   */
  void readParts(String part, GroupReader groupReader) throws SQLException {
    RowFilter rowFilter = FaultSelection.rowFilter(filter, by);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT SUM(times), %s AS part, %s FROM faults WHERE TRUE%s GROUP BY part, %s"
                .formatted(part, columns, rowFilter.sql(), columns))) {
      int _ = rowFilter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groupReader.take(values(row, 3), row.getLong(2), row.getLong(1));
        }
      }
    }
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
}
