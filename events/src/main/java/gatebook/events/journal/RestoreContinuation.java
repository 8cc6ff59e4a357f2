package gatebook.events.journal;

import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The continuation of a restored journal: an operator lets it go on, by events that say so, and
 * then it takes appends.
 */
public final class RestoreContinuation {
  private RestoreContinuation() {}

  /** The result of a continuation. */
  public sealed interface Outcome {
    /**
     * The journal takes appends.
     *
     * @param position of its newest event
     * @param origin of the log from now on
     */
    record Continues(long position, String origin) implements Outcome {}

    record Refused(String sentence) implements Outcome {}
  }

  /**
   * The state from which a journal goes on that was rolled back, as if it had been restored; empty
   * where no event says so.
   */
  public static Optional<RestoredMark> rolledBack(JournalSettings settings) throws OpenRefusal {
    JournalStorage storage = settings.storage();
    try (storage) {
      storage.openExisting();
      try (StorageWriter storageWriter = storage.writer()) {
        return rolledBack(settings, storageWriter);
      }
    } catch (StorageFailure e) {
      throw new OpenRefusal("the journal failed: " + StorageFailure.describe(e));
    }
  }

  private static Optional<RestoredMark> rolledBack(
      JournalSettings settings, StorageWriter storageWriter) throws OpenRefusal, StorageFailure {
    RightEdge edge = storageWriter.lockEdge();
    StoredCheckpoint newest = storageWriter.newestCheckpoint();
    CheckpointWriter checkpointWriter = CheckpointWriter.of(settings);
    try {
      String origin = checkpointWriter.origin(storageWriter);
      return RecordedRollback.of(origin, storageWriter)
          .map(rollback ->
              new RestoredMark(
                  true,
                  origin,
                  edge.size(),
                  Base64.getEncoder().encodeToString(edge.root()),
                  newest == null ? 0 : newest.size(),
                  checkpointWriter.keys().verifier().text(),
                  rollback.witness()));
    } finally {
      storageWriter.rollback();
      checkpointWriter.close();
    }
  }

  /**
   * Lets the journal go on, which must not be open in this process. One that was interrupted is
   * finished, and adds nothing again.
   *
   * @param statements the events that record it
   * @param newOrigin the origin under which the log goes on, if it is another one
   */
  public static Outcome of(
      JournalSettings settings,
      RestoredMark mark,
      List<DraftEvent> statements,
      Optional<String> newOrigin) {
    JournalStorage storage = settings.storage();
    try (storage) {
      storage.openExisting();
      try (StorageWriter storageWriter = storage.writer()) {
        return go(settings, mark, statements, newOrigin, storageWriter);
      }
    } catch (OpenRefusal e) {
      return new Outcome.Refused(e.sentence());
    } catch (StorageFailure | IOException e) {
      return new Outcome.Refused("the journal failed: " + StorageFailure.describe(e));
    }
  }

  private static Outcome go(
      JournalSettings settings,
      RestoredMark mark,
      List<DraftEvent> statements,
      Optional<String> newOrigin,
      StorageWriter storageWriter)
      throws OpenRefusal, StorageFailure, IOException {
    CheckpointWriter checkpointWriter = CheckpointWriter.of(settings, Optional.of(mark));
    try {
      return go(settings, mark, statements, newOrigin, storageWriter, checkpointWriter);
    } finally {
      checkpointWriter.close();
    }
  }

  private static Outcome go(
      JournalSettings settings,
      RestoredMark mark,
      List<DraftEvent> statements,
      Optional<String> newOrigin,
      StorageWriter storageWriter,
      CheckpointWriter checkpointWriter)
      throws StorageFailure, IOException {
    RightEdge edge = storageWriter.lockEdge();
    if (checkpointWriter.check(storageWriter, edge)
        instanceof JournalState.Distrusted(String why)) {
      return new Outcome.Refused("the journal is not what was restored: " + why);
    }
    if (edge.size() == mark.size()) {
      if (!Base64.getEncoder().encodeToString(edge.root()).equals(mark.root())) {
        return new Outcome.Refused("the journal is not what was restored: restore it again");
      }
      MismatchAcceptance.continueFrom(
          edge, storageWriter, checkpointWriter, settings.node(), statements, newOrigin);
    }
    RestoredMark.remove(RestoredMark.file(settings));
    return new Outcome.Continues(edge.size(), checkpointWriter.origin(storageWriter));
  }
}
