package gatebook.events.journal.storage;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over rows, which may be more than fits into memory; a failure of the storage is a {@link
 * JournalUnreadable}.
 */
public interface RowCursor<T> extends AutoCloseable {
  /** The next row, or null at the end. */
  @Nullable T next();

  /** Reads to the end; empty when there is no row. */
  default Optional<T> last() {
    @Nullable T last = null;
    for (T row = next(); row != null; row = next()) {
      last = row;
    }
    return Optional.ofNullable(last);
  }

  @Override
  void close();

  /** A cursor over no rows. */
  static <T> RowCursor<T> none() {
    return new RowCursor<>() {
      @Override
      public @Nullable T next() {
        return null;
      }

      @Override
      public void close() {}
    };
  }
}
