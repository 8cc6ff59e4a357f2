package gatebook.events.journal;

import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.StoredSubtrees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Reads the journal's events: the newest from the tail buffer, the others from the storage. */
final class JournalReader {
  private static final int PAGE = 1_000;

  private final JournalStorage storage;
  private final TailBuffer tailBuffer;
  private final Consumer<RecordedRollback> onRollback;

  /**
   * @param onRollback called when a rollback is read that another process recorded
   */
  JournalReader(
      JournalStorage storage, TailBuffer tailBuffer, Consumer<RecordedRollback> onRollback) {
    this.storage = storage;
    this.tailBuffer = tailBuffer;
    this.onRollback = onRollback;
  }

  List<Entry> read(long after, int limit) {
    List<Entry> buffered = buffered(after, limit);
    return buffered.isEmpty() ? find(null, after, tailBuffer.head(), limit) : buffered;
  }

  private List<Entry> buffered(long after, int limit) {
    long head = tailBuffer.head();
    List<Entry> entries = new ArrayList<>();
    for (long position = after + 1; position <= head && entries.size() < limit; position++) {
      Entry entry = tailBuffer.get(position);
      if (entry == null) {
        break;
      }
      entries.add(entry);
    }
    return entries;
  }

  List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    if (after >= upTo) {
      return List.of();
    }
    try {
      return storage.read(EntrySelection.of(criteria), after, upTo, limit);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  List<byte[]> leaves(long after, long upTo) {
    try {
      return storage.leaves(after, upTo);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  Optional<StoredCheckpoint> checkpointOver(long size) {
    try {
      return storage.checkpointOver(size);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  ConsistencyProof consistency(long from, long to) {
    return ConsistencyProof.of(from, to, new StoredSubtrees(to, this::storedEdge, this::leaves));
  }

  InclusionPath inclusion(long position, long size) {
    return InclusionPath.of(
        position - 1, size, new StoredSubtrees(size, this::storedEdge, this::leaves));
  }

  private RightEdge storedEdge(long size) {
    try {
      return storage.storedEdge(size);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  Optional<DroppedThrough> droppedThrough() {
    try {
      return storage.droppedThrough();
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  SequencedMap<String, String> nodesAfter(long after, int limit) {
    try {
      return storage.nodesAfter(after, limit);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  Optional<StoredCheckpoint> newestCheckpoint() {
    try {
      return storage.newestCheckpoint();
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  long bytes() {
    try {
      return storage.bytes();
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  long positionBefore(Instant at) {
    try {
      return storage
          .firstAt(DraftEvent.formatTime(at))
          .map(first -> first - 1)
          .orElseGet(tailBuffer::head);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  /**
   * Publishes to readers the events up to a position that another process stored, or that this one
   * stored after such events.
   */
  synchronized void catchUp(long upTo) {
    while (tailBuffer.head() < upTo) {
      List<Entry> page = find(null, tailBuffer.head(), upTo, PAGE);
      if (page.isEmpty() || !tailBuffer.publish(page)) {
        break;
      }
      RecordedRollback.first(page).ifPresent(onRollback);
    }
    tailBuffer.notifyListeners();
  }
}
