package gatebook.query.errors;

import gatebook.events.EventsDropped;
import gatebook.events.call.DroppedCount;
import gatebook.events.call.Word;
import gatebook.query.counts.CountBatch;
import gatebook.query.counts.CountTable;
import gatebook.query.projection.DroppedEvents;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the rows of dropped events with a row for each hour and kind of what was counted of
 * them. Such a row is at the first moment of its hour, and has none of what is gone: target,
 * principal, agent, skill and call. Its place is negative, so that no row of an event has it.
 */
final class DroppedErrorRows {
  /**
   * The condition under which a row is that of an event which is still there. It is no range of
   * places: H2 would read all of it instead of the places that are asked for.
   */
  static final String NOT_DROPPED = "SIGN(place) >= 0";

  private static final String INSERT =
      "INSERT INTO errors (position, changed, place, times, gate, reason, dialect, code, fault, at,"
          + " denied_at, error_key, denial_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private record Row(long place, DroppedCount kind, long at, long times) {
    boolean isError() {
      return kind.kind() == DroppedCount.Kind.ERROR;
    }

    long key() {
      return CountTable.key(keyText(kind));
    }
  }

  private DroppedErrorRows() {}

  static void replace(Connection view, DroppedEvents dropped) throws SQLException {
    Map<CountTable, List<Long>> hours = new LinkedHashMap<>();
    for (CountTable table : Counted.countTables()) {
      long first = dropped.event().from() * ErrorRow.ROWS_MAX;
      long last = (dropped.event().to() + 1) * ErrorRow.ROWS_MAX - 1;
      hours.put(table, table.hours(view, first, last));
    }
    for (String table : List.of("errors", "untold", ObservedDenial.TABLE)) {
      dropped.delete(view, table, "place", ErrorRow.ROWS_MAX);
    }
    for (Map.Entry<CountTable, List<Long>> one : hours.entrySet()) {
      one.getKey().recount(view, one.getValue());
    }
    add(view, rows(dropped.event()), dropped.position());
  }

  private static void add(Connection view, List<Row> rows, long position) throws SQLException {
    RowBatch.write(view, INSERT, rows, (insert, row) -> set(insert, row, position));
    CountBatch errorCounts = new CountBatch(view, Counted.ERRORS.counts());
    CountBatch denialCounts = new CountBatch(view, Counted.DENIALS.counts());
    for (Row row : rows) {
      (row.isError() ? errorCounts : denialCounts).add(row.at, row.key(), row.times, row.place);
    }
    errorCounts.write();
    denialCounts.write();
  }

  /** There are no more rows than events were dropped, each of which had fewer than its places. */
  private static List<Row> rows(EventsDropped event) {
    List<Row> rows = new ArrayList<>();
    long first = event.from() * ErrorRow.ROWS_MAX;
    for (DroppedCount count : event.counts()) {
      count
          .byHour()
          .forEach((hour, times) ->
              rows.add(new Row(-first - rows.size(), count, EpochNanos.of(hour), times)));
    }
    return rows;
  }

  private static void set(PreparedStatement insert, Row row, long position) throws SQLException {
    boolean isError = row.isError();
    DroppedCount kind = row.kind;
    long key = row.key();
    insert.setLong(1, position);
    insert.setLong(2, position);
    insert.setLong(3, row.place);
    insert.setLong(4, row.times);
    insert.setString(5, word(kind.gate()));
    insert.setString(6, word(kind.reason()));
    insert.setString(7, word(kind.dialect()));
    insert.setString(8, kind.code());
    insert.setString(9, kind.fault());
    insert.setObject(10, isError ? row.at : null);
    insert.setObject(11, isError ? null : row.at);
    insert.setObject(12, isError ? key : null);
    insert.setObject(13, isError ? null : key);
  }

  /** No row of an event has this key. */
  private static String keyText(DroppedCount kind) {
    return String.join(
        "\0",
        "dropped",
        kind.kind().word(),
        Objects.toString(word(kind.gate()), ""),
        Objects.toString(word(kind.reason()), ""),
        Objects.toString(word(kind.dialect()), ""),
        Objects.toString(kind.code(), ""),
        Objects.toString(kind.fault(), ""));
  }

  private static @Nullable String word(@Nullable Word word) {
    return word == null ? null : word.word();
  }
}
