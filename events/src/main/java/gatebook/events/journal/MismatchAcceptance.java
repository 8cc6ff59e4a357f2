package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Acceptance of a mismatch: an operator takes a journal that disagrees with its checkpoints as it
 * is, so that appending can go on.
 *
 * <p>Nothing is repaired: the tree starts over from the rows as they are, and the next event says
 * who accepted what and why.
 */
public final class MismatchAcceptance {
  private MismatchAcceptance() {}

  /** The result of accepting. */
  public sealed interface Outcome {
    /**
     * The journal is accepted.
     *
     * @param position of the last event that records it
     */
    record Accepted(long position) implements Outcome {}

    record Refused(String sentence) implements Outcome {}
  }

  /**
   * Accepts the journal, which must not be open in this process.
   *
   * @param standing the right edge over every position that was ever assigned, from the rows as
   *     they are
   * @param statements the events that record the acceptance
   * @param newOrigin the origin under which the log goes on, if it is another one
   */
  public static Outcome accept(
      JournalSettings settings,
      RightEdge standing,
      List<DraftEvent> statements,
      Optional<String> newOrigin) {
    return switch (JournalSnapshot.take(settings)) {
      case JournalSnapshot.TakeResult.Refused(String sentence) -> new Outcome.Refused(sentence);
      case JournalSnapshot.TakeResult.Taken(JournalSnapshot journalSnapshot) -> {
        journalSnapshot.close();
        yield startOver(settings, standing, statements, newOrigin);
      }
    };
  }

  private static Outcome startOver(
      JournalSettings settings,
      RightEdge standing,
      List<DraftEvent> statements,
      Optional<String> newOrigin) {
    RightEdge edge = standing.copy();
    try (JournalStorage storage = opened(settings);
        StorageWriter storageWriter = storage.writer()) {
      CheckpointWriter checkpointWriter = CheckpointWriter.of(settings);
      storageWriter.lockEdge();
      Optional<String> replaced = checkpointWriter.replacement(storageWriter);
      if (replaced.isPresent()) {
        return new Outcome.Refused(replaced.get());
      }
      if (storageWriter.lastPosition() > edge.size()) {
        return new Outcome.Refused("the journal changed while it was read: try again");
      }
      continueFrom(edge, storageWriter, checkpointWriter, settings.node(), statements, newOrigin);
      checkpointWriter.close();
      return new Outcome.Accepted(edge.size());
    } catch (OpenRefusal e) {
      return new Outcome.Refused(e.sentence());
    } catch (StorageFailure e) {
      return new Outcome.Refused("the journal failed: " + StorageFailure.describe(e));
    }
  }

  /** Stores the events after this edge, and a checkpoint over all of them, in one transaction. */
  static void continueFrom(
      RightEdge edge,
      StorageWriter storageWriter,
      CheckpointWriter checkpointWriter,
      String node,
      List<DraftEvent> statements,
      Optional<String> newOrigin)
      throws StorageFailure {
    LeafHasher hasher = new LeafHasher();
    List<Entry> entries = new ArrayList<>();
    for (DraftEvent statement : statements) {
      Entry entry = statement.toEntry(edge.size() + 1, node);
      entry = entry.withLeaf(hasher.leaf(entry));
      edge.append(entry.leaf());
      entries.add(entry);
    }
    storageWriter.insert(entries);
    storageWriter.moveEdge(edge);
    checkpointWriter.add(
        storageWriter,
        edge,
        newOrigin.isPresent() ? newOrigin.get() : checkpointWriter.origin(storageWriter));
    storageWriter.commit();
    checkpointWriter.committed(edge.size());
  }

  private static JournalStorage opened(JournalSettings settings)
      throws OpenRefusal, StorageFailure {
    JournalStorage storage = settings.storage();
    try {
      storage.openExisting();
      return storage;
    } catch (OpenRefusal | StorageFailure e) {
      storage.close();
      throw e;
    }
  }
}
