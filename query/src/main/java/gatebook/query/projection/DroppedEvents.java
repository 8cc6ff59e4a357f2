package gatebook.query.projection;

import gatebook.events.EventsDropped;
import gatebook.events.journal.drop.PositionSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Events that were dropped: those of a range of positions, but for those that stay. */
public final class DroppedEvents {
  private final EventsDropped event;
  private final long position;
  private final PositionSet kept;

  /**
   * @param position of the event that says so
   */
  DroppedEvents(EventsDropped event, long position) {
    this.event = event;
    this.position = position;
    this.kept = PositionSet.decode(event.kept().toArray()).orElseThrow();
  }

  public EventsDropped event() {
    return event;
  }

  /** The position of the event that says so. */
  public long position() {
    return position;
  }

  /** Whether the event at a position was dropped. */
  public boolean contains(long at) {
    return containsAll(at, at);
  }

  /** Whether all events from one position to another were dropped. */
  public boolean containsAll(long first, long last) {
    return first >= event.from() && last <= event.to() && !kept.containsAny(first, last);
  }

  /** Deletes the rows of a table whose events were dropped. */
  public void delete(Connection view, String table) throws SQLException {
    delete(view, table, "position", 1);
  }

  /**
   * Deletes the rows of a table whose events were dropped: one statement for each run of rows
   * between two events that stay.
   *
   * @param column has the place of a row
   * @param places how many places each position has
   */
  public void delete(Connection view, String table, String column, long places)
      throws SQLException {
    List<Run> runs = runs(view, table, column, places);
    RowBatch.write(
        view,
        "DELETE FROM %s WHERE %s >= ? AND %s <= ?".formatted(table, column, column),
        runs,
        (delete, run) -> {
          delete.setLong(1, run.first);
          delete.setLong(2, run.last);
        });
  }

  /** Places of rows between which there is none that stays. */
  private record Run(long first, long last) {}

  private List<Run> runs(Connection view, String table, String column, long places)
      throws SQLException {
    List<Run> runs = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %1$s FROM %2$s WHERE %1$s >= ? AND %1$s < ? ORDER BY %1$s"
                .formatted(column, table))) {
      select.setLong(1, event.from() * places);
      select.setLong(2, (event.to() + 1) * places);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          add(runs, row.getLong(1), places);
        }
      }
    }
    return runs;
  }

  private void add(List<Run> runs, long place, long places) {
    long at = place / places;
    if (!contains(at)) {
      return;
    }
    Run last = runs.isEmpty() ? null : runs.getLast();
    if (last != null && containsAll(last.last / places, at)) {
      runs.set(runs.size() - 1, new Run(last.first, place));
    } else {
      runs.add(new Run(place, place));
    }
  }
}
