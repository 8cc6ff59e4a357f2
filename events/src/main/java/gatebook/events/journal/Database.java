package gatebook.events.journal;

import java.sql.Connection;
import java.sql.SQLException;

/** What differs between the engines a journal can live on. */
sealed interface Database extends AutoCloseable permits H2Database, PostgresDatabase {

  /** Makes the engine usable, or says in one sentence why it is not. */
  void check() throws OpenRefusal, SQLException;

  /** Refuses when there is nothing yet, which opening would otherwise make. */
  void requireExisting() throws OpenRefusal;

  /** The JDBC isolation level under which a transaction sees one moment and no later one. */
  int snapshotIsolation();

  /** A connection of its own, without auto-commit. */
  Connection connect() throws SQLException;

  /** Such a connection for the writer: nothing on it waits without end. */
  Connection connectToWrite() throws SQLException;

  /** A pooled connection that only reads, in auto-commit. */
  Connection reader() throws SQLException;

  /** The resource that holds the statements that make version 1 of the schema. */
  String schemaResource();

  /** Keeps two processes from making the schema at the same time, until the transaction ends. */
  void lockSchema(Connection connection) throws SQLException;

  /** Tells other processes, once the transaction commits, how far the journal reaches. */
  void announce(Connection connection, long head) throws SQLException;

  /**
   * Returns when everything committed on this connection would survive what the durability
   * promises.
   */
  void force(Connection connection) throws SQLException;

  /** The same as {@link #force}, for a transaction that did nothing but this. */
  void keep(Connection connection, CommittedBatch committedBatch) throws SQLException;

  /** Leaves nothing to do for whoever opens the database next; called by the writer at its end. */
  void finish(Connection connection) throws SQLException;

  /** The same after an operator decided to go on with the rows that are there, whatever is lost. */
  void startOver(Connection connection) throws SQLException;

  /**
   * Drops what the engine holds in memory after a failure, so that the next connection starts from
   * the disk.
   */
  void abandon(Connection connection);

  /** Whether another process may append to the same tables. */
  boolean isShared();

  /** How operators call this database. */
  String describe();

  @Override
  void close();
}
