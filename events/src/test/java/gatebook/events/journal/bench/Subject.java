package gatebook.events.journal.bench;

import java.sql.SQLException;

/** Something that stores events, and can be asked how fast. */
public interface Subject extends AutoCloseable {

  /**
   * Stores events for a time, as fast as it can.
   *
   * @param callers who send at the same time
   * @param eventsPerBatch what a subject that forms its own transactions puts into one
   */
  Sample measure(int callers, double eventsPerBatch, long millis) throws Exception;

  @Override
  void close() throws SQLException;
}
