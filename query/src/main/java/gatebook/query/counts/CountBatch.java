package gatebook.query.counts;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A batch of new rows to be counted. They are summed up in memory, so that each interval costs one
 * write, however many rows it has.
 */
public final class CountBatch {
  private final Connection view;
  private final CountTable table;
  private final RowSums rows = new RowSums();

  public CountBatch(Connection view, CountTable table) {
    this.view = view;
    this.table = table;
  }

  /**
   * Adds a row.
   *
   * @param key absent for a row that is in no tally
   * @param times how often it counts; negative for a row that is taken back. It is added again,
   *     perhaps with another key, before the batch is written
   */
  public void add(long at, @Nullable Long key, long times, long place) {
    rows.add(at, key, times, place);
  }

  /** Writes the counts. The rows are in their table already. */
  public void write() throws SQLException {
    if (!rows.all().isEmpty()) {
      try (CountWriter countWriter = new CountWriter(view, table, Long.MAX_VALUE)) {
        countWriter.add(rows);
      }
    }
  }
}
