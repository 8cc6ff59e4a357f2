package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;

/** The location of a PostgreSQL database that several processes may share. */
public record SharedLocation(String url, String user, String password)
    implements JournalSettings.Location {

  /**
   * The server's own settings decide what a commit survives; {@link PostgresDatabase#check} checks
   * them.
   */
  @Override
  public JournalStorage storage(Durability durability, JournalLimits limits) {
    return new RowStorage(new PostgresDatabase(this, limits));
  }

  /** The database's name for operators, without user and query, which may hold credentials. */
  public String describe() {
    int query = url.indexOf('?');
    String bare = query < 0 ? url : url.substring(0, query);
    return bare.replaceFirst("//[^/@]*@", "//");
  }

  @Override
  public String toString() {
    return "SharedLocation[user=" + user + "]";
  }
}
