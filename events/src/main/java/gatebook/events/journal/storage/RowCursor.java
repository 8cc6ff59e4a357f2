package gatebook.events.journal.storage;

import org.jspecify.annotations.Nullable;

/**
 * A cursor over rows, which may be more than fits into memory; a failure of the storage is a {@link
 * JournalUnreadable}.
 */
public interface RowCursor<T> extends AutoCloseable {
  /** The next row, or null at the end. */
  @Nullable T next();

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
