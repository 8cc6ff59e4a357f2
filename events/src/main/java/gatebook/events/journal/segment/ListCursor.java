package gatebook.events.journal.segment;

import gatebook.events.journal.storage.RowCursor;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list as a cursor. */
public final class ListCursor<T> implements RowCursor<T> {
  private final ArrayDeque<T> rows;

  public ListCursor(List<T> rows) {
    this.rows = new ArrayDeque<>(rows);
  }

  @Override
  public @Nullable T next() {
    return rows.poll();
  }

  @Override
  public void close() {
    rows.clear();
  }
}
