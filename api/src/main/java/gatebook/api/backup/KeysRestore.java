package gatebook.api.backup;

import gatebook.api.erasure.ErasedAgain;
import gatebook.events.KeysRestoreBegun;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeyBackup;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The restore of content keys from a backup of them, into the store of a journal. Keys that the
 * store or the journal say are erased stay erased.
 */
public record KeysRestore(KeyBackup backup, Path file, String operator, InstantSource clock) {

  /** The result. */
  public sealed interface Outcome {
    /**
     * The keys are in the store.
     *
     * @param added how many were missing there
     * @param inBackup how many the backup has
     * @param unrecorded why the journal does not have the restore; empty when it has
     */
    record Restored(long added, long inBackup, Optional<String> unrecorded) implements Outcome {}

    record NotRestored(String sentence) implements Outcome {}
  }

  /** Restores the keys. A journal that takes appends has the restore before it begins. */
  public Outcome run(Journal journal, ContentKeyStore contentKeys) {
    ErasedAgain.Reached reached =
        ErasedAgain.reached(journal, new EventVocabulary(), backup.keys());
    try {
      Optional<String> readOnly = readOnly(journal);
      if (readOnly.isEmpty()) {
        KeysRestoreBegun begun =
            new KeysRestoreBegun(operator, file.toString(), backup.at(), backup.keys().size());
        Optional<String> unrecorded = KeysBackupRun.record(journal, begun, clock.instant());
        if (unrecorded.isPresent()) {
          return new Outcome.NotRestored("nothing was restored: " + unrecorded.get());
        }
      }
      long added = contentKeys.add(backup.without(reached.ids(), reached.position()));
      return new Outcome.Restored(added, backup.keys().size(), readOnly);
    } catch (KeysUnavailable e) {
      return new Outcome.NotRestored(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> readOnly(Journal journal) {
    return switch (journal.state()) {
      case JournalState.Writable() -> Optional.empty();
      case JournalState.Unavailable(var reason) -> Optional.of(reason);
      case JournalState.Distrusted(var reason) -> Optional.of(reason);
      case JournalState.ReadOnly(var reason) -> Optional.of(reason);
      case JournalState.RolledBack(var reason) -> Optional.of(reason);
      case JournalState.Closed() -> Optional.of("the journal is closed");
    };
  }
}
