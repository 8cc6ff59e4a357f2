package gatebook.query.projection;

import gatebook.events.journal.storage.Entry;
import java.sql.SQLException;

/**
 * The rows that the events of one page change. Handlers change them in memory, and they are written
 * together after the last event of the page.
 */
public interface PageRows extends AutoCloseable {
  /** Whether an event can change the rows. An event that cannot is not read. */
  default boolean canChangeBy(Entry entry) throws SQLException {
    return true;
  }

  /** Writes the changed rows. */
  void write() throws SQLException;

  @Override
  default void close() throws SQLException {}
}
