package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** A journal whose checkpoints can be proven to go on from each other. Each read blocks. */
public interface ProvableJournal {

  /** At most {@code limit} events after a position, in order. */
  List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit);

  /** The newest stored checkpoint; empty before the first one. */
  Optional<StoredCheckpoint> newestCheckpoint();

  /** The newest stored checkpoint over exactly so many events; empty when there is none. */
  Optional<StoredCheckpoint> checkpointOver(long size);

  /**
   * The proof that the tree of the first {@code to} events goes on from that of the first {@code
   * from}; both are stored. After an acceptance of edited events it may not prove that: whoever
   * uses it checks it with the roots of both trees.
   */
  ConsistencyProof consistency(long from, long to);
}
