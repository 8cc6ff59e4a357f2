package gatebook.api.backup;

import gatebook.events.BackupEvent;
import gatebook.events.KeysBackupBegun;
import gatebook.events.KeysBackupCompleted;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.JournalAccess;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.BackupKey;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeyBackup;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes backups of the content keys. The journal has the beginning of each before its file has
 * anything, and its end.
 */
public record KeysBackupRun(
    JournalAccess journal,
    ContentKeyStore contentKeys,
    BackupFigures backupFigures,
    InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(KeysBackupRun.class);
  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** The result. */
  public sealed interface Outcome {
    /**
     * The backup is on the disk.
     *
     * @param newestKeyAt when the newest key in it was made; empty when it has none
     * @param unrecorded why the journal does not have its end; empty when it has
     */
    record Made(long keys, Optional<Instant> newestKeyAt, Optional<String> unrecorded)
        implements Outcome {}

    record NotMade(String reason) implements Outcome {}
  }

  /** Makes a backup. May block. */
  public Outcome run(String operator, Path file, BackupKey key) {
    UUID backupId = UUID.randomUUID();
    KeyBackup.Writing writing;
    try {
      writing =
          contentKeys.backUp(
              file, key, () -> record(new KeysBackupBegun(backupId, operator, file.toString())));
    } catch (KeysUnavailable e) {
      writing = new KeyBackup.Writing.Refused(String.valueOf(e.getMessage()));
    }
    return switch (writing) {
      case KeyBackup.Writing.Refused(var sentence) -> {
        backupFigures.keysFailed();
        LOG.atError()
            .addKeyValue("file", file)
            .addKeyValue("reason", sentence)
            .log("the content keys were not backed up: the backups from before stay");
        yield new Outcome.NotMade(sentence);
      }
      case KeyBackup.Writing.Written(var keys, var newestKeyAt) -> {
        LOG.atInfo()
            .addKeyValue("file", file)
            .addKeyValue("keys", keys)
            .log("the content keys were backed up");
        yield new Outcome.Made(
            keys,
            newestKeyAt,
            record(new KeysBackupCompleted(backupId, keys, newestKeyAt.orElse(null))));
      }
    };
  }

  /** Why the event is not recorded; empty when it is. */
  private Optional<String> record(BackupEvent event) {
    return record(journal, event, clock.instant());
  }

  /** Records an event of a backup; says why it is not recorded, and is empty when it is. */
  public static Optional<String> record(JournalAccess journal, BackupEvent event, Instant at) {
    return switch (journal
        .append(ConflictCondition.none(), List.of(VOCABULARY.draft(event, at)))
        .join()) {
      case Append.Stored _ -> Optional.empty();
      case Append.Refused refused ->
          Optional.of("it cannot be recorded: %s".formatted(refused.reason()));
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }
}
