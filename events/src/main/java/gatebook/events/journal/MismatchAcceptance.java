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
import java.util.List;

/**
 * Acceptance of a mismatch: an operator takes a journal that disagrees with its checkpoints as it
 * is, so that appending can go on.
 *
 * <p>Nothing is repaired: the tree starts over from the rows as they are, and the next event says
 * who accepted what and why.
 */
public final class MismatchAcceptance {
  /** The name of the events that accept a mismatch. */
  public static final String EVENT_NAME = "gatebook.MismatchAccepted";

  private MismatchAcceptance() {}

  /** The result of accepting. */
  public sealed interface Outcome {
    record Accepted(long position) implements Outcome {}

    record Refused(String sentence) implements Outcome {}
  }

  /**
   * Accepts the journal, which must not be open in this process.
   *
   * @param standing the right edge over every position that was ever assigned, from the rows as
   *     they are
   * @param statement the event that records the acceptance
   */
  public static Outcome accept(JournalSettings settings, RightEdge standing, DraftEvent statement) {
    return switch (JournalSnapshot.take(settings)) {
      case JournalSnapshot.TakeResult.Refused(String sentence) -> new Outcome.Refused(sentence);
      case JournalSnapshot.TakeResult.Taken(JournalSnapshot journalSnapshot) -> {
        journalSnapshot.close();
        yield startOver(settings, standing, statement);
      }
    };
  }

  private static Outcome startOver(
      JournalSettings settings, RightEdge standing, DraftEvent statement) {
    RightEdge edge = standing.copy();
    try (JournalStorage storage = opened(settings);
        StorageWriter storageWriter = storage.writer()) {
      CheckpointWriter checkpointWriter = CheckpointWriter.of(settings);
      storageWriter.lockEdge();
      if (storageWriter.lastPosition() > edge.size()) {
        return new Outcome.Refused("the journal changed while it was read: try again");
      }
      Entry entry = statement.toEntry(edge.size() + 1, settings.node());
      entry = entry.withLeaf(new LeafHasher().leaf(entry));
      edge.append(entry.leaf());
      storageWriter.insert(List.of(entry));
      storageWriter.moveEdge(edge);
      checkpointWriter.add(storageWriter, edge);
      storageWriter.commit();
      checkpointWriter.committed(edge.size());
      checkpointWriter.close();
      return new Outcome.Accepted(entry.position());
    } catch (OpenRefusal e) {
      return new Outcome.Refused(e.sentence());
    } catch (StorageFailure e) {
      return new Outcome.Refused("the journal failed: " + StorageFailure.describe(e));
    }
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
