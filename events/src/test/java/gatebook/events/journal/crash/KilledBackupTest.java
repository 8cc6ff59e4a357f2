package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journal.OpenResult;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.backup.BackupManifest;
import gatebook.events.journal.backup.JournalRestore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed with SIGKILL while they back up and restore. */
class KilledBackupTest {
  private static final long BACKUP_NANOS_MAX = 150_000_000;
  private static final long RESTORE_MILLIS_MAX = 900;
  private static final int APPENDS_MAX = 400;

  private final SplittableRandom random = Proof.random("killed backups");
  private final Ledger ledger = new Ledger();

  @TempDir Path temp;

  @Test
  void killedBackupsLeaveOnlyWholeOnes() throws IOException {
    Place place = Place.inSegments(Files.createDirectory(temp.resolve("data")));
    Path backups = temp.resolve("backups");
    int kills = Proof.rounds(4, 50);

    int before = 0;
    for (int kill = 0; kill < kills; kill++) {
      killDuringBackup(place, backups, kill == 0);
      int now = names(backups).size();
      assertThat(now).isBetween(before, before + 1);
      before = now;
    }

    try (Journal journal = Journals.opened(place.settings())) {
      ledger.check(journal, place.settings());
      requireCopy(journal, restored(backups, "last"));
    }
  }

  private void killDuringBackup(Place place, Path backups, boolean isWhole) {
    try (Child child = Child.start(place, ledger::add)) {
      assertThat(child.opened()).isEqualTo("Writable[]");
      int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
      child.send("load", Long.toString(random.nextLong()));
      child.done("load");
      await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
      child.send("backup", backups.toString());
      if (isWhole) {
        child.done("backup");
      } else {
        child.endedWithin(random.nextLong(BACKUP_NANOS_MAX));
      }
    }
  }

  @Test
  void aKilledRestoreIsNoJournalAndIsRunAgain() throws Exception {
    Place place = Place.inSegments(Files.createDirectory(temp.resolve("data")));
    Path backups = temp.resolve("backups");
    killDuringBackup(place, backups, true);
    int kills = Proof.rounds(4, 50);

    try (Journal journal = Journals.opened(place.settings())) {
      for (int kill = 0; kill < kills; kill++) {
        Path data = temp.resolve("restored-" + kill);
        Process process = RestoreProcess.start(backups, data);
        boolean isEnded =
            process.waitFor(random.nextLong(RESTORE_MILLIS_MAX), TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
        Place copy = Place.inSegments(data);
        JournalRestore.Outcome again = RestoreProcess.restore(backups, copy);
        if (isEnded) {
          assertThat(again).isInstanceOf(JournalRestore.Outcome.Refused.class);
        }
        requireCopy(journal, copy);
      }
    }
  }

  private static List<String> names(Path backups) throws IOException {
    try (ArchiveTarget target = DirectoryTarget.open(backups)) {
      return BackupManifest.names(target);
    }
  }

  private Place restored(Path backups, String name) throws IOException {
    Place copy = Place.inSegments(temp.resolve(name));
    assertThat(RestoreProcess.restore(backups, copy))
        .isInstanceOf(JournalRestore.Outcome.Restored.class);
    return copy;
  }

  /** What was restored is the beginning of the journal: each event once, at its position. */
  private static void requireCopy(Journal journal, Place copy) throws IOException {
    Path key = copy.directory().resolve("checkpoint.key");
    Files.copy(copy.directory().resolveSibling("data").resolve("checkpoint.key"), key);
    OpenResult opened = Journal.open(copy.settings());
    assertThat(opened).isInstanceOf(OpenResult.Opened.class);
    try (Journal restored = ((OpenResult.Opened) opened).journal()) {
      assertThat(restored.state()).isInstanceOf(JournalState.ReadOnly.class);
      assertThat(restored.head()).isPositive();
      assertThat(rows(restored, restored.head())).isEqualTo(rows(journal, restored.head()));
    }
  }

  private static List<Row> rows(Journal journal, long upTo) {
    List<Row> rows = new ArrayList<>();
    Row.forEach(
        journal,
        0,
        row -> {
          if (row.position() <= upTo) {
            rows.add(row);
          }
        });
    return rows;
  }
}
