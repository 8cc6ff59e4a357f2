package gatebook.events.journal;

import java.sql.SQLException;

/** A subject of the benchmark, which stores events. */
public interface AppendSubject extends AutoCloseable {

  /**
   * Stores events for a time, as fast as it can.
   *
   * @param callers concurrent callers
   * @param eventsPerBatch the size of a transaction, for a subject that forms its own
   */
  AppendSample measure(int callers, double eventsPerBatch, long millis) throws Exception;

  @Override
  void close() throws SQLException;
}
