package gatebook.events.journal.storage;

import java.nio.file.Path;

/**
 * The settings of a journal: where it is stored and what it promises.
 *
 * @param node the name under which this process writes
 * @param keyFile the private key that signs checkpoints, created when it is missing
 * @param checkpointFile a copy of the newest checkpoint, outside the storage
 */
public record JournalSettings(
    Location location,
    Durability durability,
    String node,
    Path keyFile,
    Path checkpointFile,
    JournalLimits limits) {

  /** The location of a journal's storage. */
  public interface Location {

    /** A new access to the storage; it connects when it is first used. */
    JournalStorage storage(Durability durability, JournalLimits limits);
  }

  public JournalStorage storage() {
    return location.storage(durability, limits);
  }
}
