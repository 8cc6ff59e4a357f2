package gatebook.api.backup;

import gatebook.api.data.NewestBackup;
import gatebook.events.journal.JournalAccess;
import gatebook.events.keys.store.ContentKeyStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The backups of a node: how old they are, and how to make one of the content keys. */
public record NodeBackups(
    NewestBackup newestBackup,
    RecordedBackups recordedBackups,
    BackupFigures backupFigures,
    KeysBackupRun keysBackupRun)
    implements MeterBinder {

  public static NodeBackups of(
      Path directory, JournalAccess journal, ContentKeyStore contentKeys, InstantSource clock) {
    BackupFigures figures = new BackupFigures();
    return new NodeBackups(
        NewestBackup.in(directory),
        new RecordedBackups(journal, clock),
        figures,
        new KeysBackupRun(journal, contentKeys, figures, clock));
  }

  /** Says when no backup of content keys is as new as the newest content; empty when one is. */
  public Optional<String> keysWarning() {
    return recordedBackups.warning(keysBackupRun.contentKeys());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(
        registry,
        "backup.age.seconds",
        "seconds since the newest backup of the journal; NaN without one",
        it -> RecordedBackups.secondsSince(it.newestBackup.at(), it.keysBackupRun.clock()));
    gauge(
        registry,
        "keys.backup.age.seconds",
        "seconds since the newest backup of content keys; NaN without one",
        it -> it.recordedBackups.secondsSince());
    gauge(
        registry,
        "content.keys.not.backed.up",
        "content keys that were made since the newest backup of them",
        it -> it.recordedBackups.keysSince(it.keysBackupRun.contentKeys()));
    failures(registry, "journal", BackupFigures::journalFailures);
    failures(registry, "keys", BackupFigures::keysFailures);
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToDoubleFunction<NodeBackups> figure) {
    Gauge.builder("gatebook." + name, this, figure).description(what).register(registry);
  }

  private void failures(MeterRegistry registry, String of, ToDoubleFunction<BackupFigures> figure) {
    FunctionCounter.builder("gatebook.backup.failures", backupFigures, figure)
        .tag("of", of)
        .description("backups that failed")
        .register(registry);
  }
}
