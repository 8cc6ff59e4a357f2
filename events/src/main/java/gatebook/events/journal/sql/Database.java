package gatebook.events.journal.sql;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.OpenRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/** The database that holds a journal: what differs between the engines. */
public interface Database extends AutoCloseable {

  /** Reads with a connection that it does not close. */
  @FunctionalInterface
  interface ConnectionReader<T> {
    T read(Connection connection) throws SQLException;
  }

  /** Checks that the engine can be used; the refusal says in one sentence why it cannot. */
  void check() throws OpenRefusal, SQLException;

  /** Refuses a database that does not exist yet and that connecting would create. */
  void requireExisting() throws OpenRefusal;

  /** The JDBC isolation level at which a transaction reads one state and no later one. */
  int snapshotIsolation();

  /** A new connection, without auto-commit. */
  Connection connect() throws SQLException;

  /** A new connection for the writer, without auto-commit: every wait on it has a timeout. */
  Connection connectToWrite() throws SQLException;

  /** Reads with a pooled read-only connection, in auto-commit. */
  <T> T read(ConnectionReader<T> connectionReader) throws SQLException;

  /** The resource with the statements that create version 1 of the schema. */
  String schemaResource();

  /** Keeps other processes from creating the schema until the transaction ends. */
  void lockSchema(Connection connection) throws SQLException;

  /** Notifies other processes of the journal's new head, once the transaction commits. */
  void notifyOthers(Connection connection, long head) throws SQLException;

  /**
   * Calls back with the journal's head, soon and at least once, after another process appended; on
   * a thread of the database.
   *
   * @return stops the calls
   */
  Runnable followOthers(LongConsumer onAppend);

  /** Returns when everything committed on this connection is as durable as promised. */
  void force(Connection connection) throws SQLException;

  /** The same as {@link #force}, for a transaction that only added this batch. */
  void makeDurable(Connection connection, CommittedBatch batch) throws SQLException;

  /**
   * Leaves no recovery to do for the next process that opens the database; the writer's last call.
   */
  void finish(Connection connection) throws SQLException;

  /** The same after an operator accepted the rows as they are, whether or not events are lost. */
  void startOver(Connection connection) throws SQLException;

  /**
   * Drops the engine's memory after a failure, so that the next connection starts from the disk.
   */
  void abandon(Connection connection);

  /** Whether another process may append to the same tables. */
  boolean isShared();

  /** How many bytes the journal takes on the disk of its database. */
  long bytes() throws SQLException;

  /** The database's name for operators, without credentials. */
  String describe();

  @Override
  void close();
}
