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
    return new RowStorage(new PostgresDatabase(url, user, password, limits));
  }

  @Override
  public String toString() {
    return "SharedLocation[user=" + user + "]";
  }
}
