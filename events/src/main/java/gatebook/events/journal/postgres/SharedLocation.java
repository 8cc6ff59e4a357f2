package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;

/**
 * The location of a PostgreSQL database that several processes may share.
 *
 * @param retention of partitions, which go to an archive as segments
 * @param partitionEvents how many positions the next partition has
 */
public record SharedLocation(
    String url, String user, String password, SegmentRetention retention, long partitionEvents)
    implements JournalSettings.Location {
  /** Some gibibyte of events; what goes to an archive goes by whole partitions. */
  public static final long PARTITION_EVENTS = 1_000_000;

  public SharedLocation(String url, String user, String password) {
    this(url, user, password, SegmentRetention.KEEP_ALL, PARTITION_EVENTS);
  }

  /** The same location, with another retention. */
  public SharedLocation with(SegmentRetention other) {
    return new SharedLocation(url, user, password, other, partitionEvents);
  }

  /** The same location, with partitions of another size. */
  public SharedLocation withPartitions(long events) {
    return new SharedLocation(url, user, password, retention, events);
  }

  /**
   * The server's own settings decide what a commit survives; {@link PostgresDatabase#check} checks
   * them.
   */
  @Override
  public JournalStorage storage(Durability durability, JournalLimits limits) {
    return new RowStorage(new PostgresDatabase(this, limits), this, limits);
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
