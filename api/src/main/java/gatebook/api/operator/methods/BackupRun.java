package gatebook.api.operator.methods;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.backup.BackupFigures;
import gatebook.api.data.NewestBackup;
import gatebook.events.journal.Journal;
import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.backup.BackupManifest;
import gatebook.events.journal.backup.JournalBackup;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One backup of an open journal, and its status meanwhile and afterwards. */
public final class BackupRun {
  private static final Logger LOG = LoggerFactory.getLogger(BackupRun.class);

  private final Journal journal;
  private final ArchiveAddress target;
  private final String version;
  private final Supplier<Optional<String>> keysWarning;
  private final BackupFigures backupFigures;
  private final NewestBackup newestBackup;
  private final Clock clock;
  private final Instant startedAt;
  private volatile BackupStatus status;

  /**
   * A backup that is not started yet.
   *
   * @param keysWarning says when no backup of keys is as new as the newest content
   * @param newestBackup where its time is kept
   */
  public BackupRun(
      Journal journal,
      ArchiveAddress target,
      String version,
      Supplier<Optional<String>> keysWarning,
      BackupFigures backupFigures,
      NewestBackup newestBackup,
      Clock clock) {
    this.journal = journal;
    this.target = target;
    this.version = version;
    this.keysWarning = keysWarning;
    this.backupFigures = backupFigures;
    this.newestBackup = newestBackup;
    this.clock = clock;
    this.startedAt = clock.instant();
    this.status = running(0, 0, 0, 0);
  }

  ArchiveAddress target() {
    return target;
  }

  boolean isRunning() {
    return status.state().equals("running");
  }

  public BackupStatus status() {
    return status;
  }

  /** Runs on a thread of its own, which does not keep the process alive. */
  void start() {
    Thread.ofPlatform().daemon().name("journal-backup").start(this::run);
  }

  /** Makes the backup; blocks until it is made. */
  public BackupStatus run() {
    BackupStatus ended;
    try (ArchiveTarget archive = target.open()) {
      ended =
          switch (new JournalBackup(journal, archive, version, this::show).run(startedAt)) {
            case JournalBackup.Outcome.Made made -> made(made);
            case JournalBackup.Outcome.Refused(var sentence) -> failed(sentence, null);
          };
    } catch (ArchiveFailure e) {
      ended = failed(String.valueOf(e.getMessage()), null);
    } catch (RuntimeException | Error e) {
      ended = failed("the backup failed: see the log of this node", e);
    }
    status = ended;
    return ended;
  }

  private void show(int files, int ofFiles, int copied, long copiedBytes) {
    status = running(files, ofFiles, copied, copiedBytes);
  }

  private BackupStatus running(int files, int ofFiles, int copied, long copiedBytes) {
    return new BackupStatus(
        "running",
        target.toString(),
        startedAt.toString(),
        null,
        files,
        ofFiles,
        copied,
        copiedBytes,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private BackupStatus made(JournalBackup.Outcome.Made made) {
    BackupManifest manifest = made.manifest();
    Optional<String> unkept = kept();
    Optional<String> keys = keysWarning.get();
    LOG.atInfo()
        .addKeyValue("target", target)
        .addKeyValue("backup", made.name())
        .addKeyValue("events", manifest.size())
        .addKeyValue("copied_bytes", made.bytes())
        .log("the journal was backed up");
    keys.ifPresent(warning ->
        LOG.atWarn().addKeyValue("backup", made.name()).log("the backup has no keys: " + warning));
    return new BackupStatus(
        "made",
        target.toString(),
        startedAt.toString(),
        clock.instant().toString(),
        manifest.files().size(),
        manifest.files().size(),
        made.copied(),
        made.bytes(),
        made.name(),
        manifest.origin(),
        manifest.size(),
        manifest.root(),
        keys.orElse(null),
        unkept.orElse(null),
        null);
  }

  /** Why the time of this backup is not kept; empty when it is. */
  private Optional<String> kept() {
    try {
      newestBackup.write(startedAt);
      return Optional.empty();
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", newestBackup.file())
          .addKeyValue("reason", StorageFailure.describe(e))
          .log("the time of a backup is not kept: its age will be wrong");
      return Optional.of("the time of the backup is not kept, so that its age will be wrong");
    }
  }

  private BackupStatus failed(String sentence, @Nullable Throwable failure) {
    backupFigures.journalFailed();
    LOG.atError()
        .addKeyValue("target", target)
        .addKeyValue("reason", sentence)
        .setCause(failure)
        .log("the journal was not backed up: the backups from before stay");
    BackupStatus last = status;
    return new BackupStatus(
        "failed",
        last.target(),
        last.startedAt(),
        clock.instant().toString(),
        last.files(),
        last.ofFiles(),
        last.copied(),
        last.copiedBytes(),
        null,
        null,
        null,
        null,
        null,
        null,
        sentence);
  }
}
