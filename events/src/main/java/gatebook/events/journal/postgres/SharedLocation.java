package gatebook.events.journal.postgres;

import gatebook.events.journal.Database;
import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSettings;

/** The location of a PostgreSQL database that several processes may share. */
public record SharedLocation(String url, String user, String password)
    implements JournalSettings.Location {

  /**
   * The server's own settings decide what a commit survives; {@link Database#check} checks them.
   */
  @Override
  public Database database(Durability durability, JournalLimits limits) {
    return new PostgresDatabase(url, user, password, limits);
  }

  @Override
  public String toString() {
    return "SharedLocation[user=" + user + "]";
  }
}
