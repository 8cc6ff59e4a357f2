package gatebook.events.journal.storage;

import gatebook.events.journal.checkpoint.VerifierKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.axonframework.messaging.eventstreaming.Tag;

/** A reading of a snapshot for a verification, part by part. */
public interface SnapshotReading {

  /**
   * How a snapshot is read.
   *
   * @param trusted the keys whose signatures settle events
   * @param usesStamps whether stamps do; else everything is read
   * @param threads how many parts are read at the same time
   * @param visitor gets each event that is read, from any thread
   */
  record Order(
      List<VerifierKey> trusted, boolean usesStamps, int threads, Consumer<Entry> visitor) {
    public Order {
      trusted = List.copyOf(trusted);
    }

    /** An order without a visitor. */
    public Order(List<VerifierKey> trusted, boolean usesStamps, int threads) {
      this(trusted, usesStamps, threads, _ -> {});
    }

    /** The same, without stamps. */
    public Order ofEverything() {
      return new Order(trusted, false, threads, visitor);
    }
  }

  /** The parts, by ascending position. */
  List<SnapshotPart> parts();

  /** The events that change what a verification takes for right, by ascending position. */
  RowCursor<Entry> trustEvents();

  /** The first event with a tag; empty when there is none. */
  default Optional<Entry> tagged(Tag tag) {
    return Optional.empty();
  }

  /**
   * Event ids, at least all that occur more than once among the events that were read; equal ids
   * together and by ascending position.
   */
  RowCursor<JournalSnapshot.Id> ids();

  /** The files that cannot be read, or not as they were written: the events in them are missing. */
  default List<DamagedFile> damagedFiles() {
    return List.of();
  }

  /** The files in an archive that cannot be used: nothing is known of the events in them. */
  default List<DamagedFile> unreadFiles() {
    return List.of();
  }

  /** The stamps that settle nothing. */
  List<RefusedStamp> refusedStamps();
}
