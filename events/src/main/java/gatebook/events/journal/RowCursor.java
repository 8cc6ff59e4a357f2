package gatebook.events.journal;

import org.jspecify.annotations.Nullable;

/**
 * One pass over what may be more than fits into memory; a database that fails is a {@link
 * JournalUnreadable}.
 */
public interface RowCursor<T> extends AutoCloseable {
  /** The next one; null when there are no more. */
  @Nullable T next();

  @Override
  void close();
}
