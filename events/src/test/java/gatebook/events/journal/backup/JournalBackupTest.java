package gatebook.events.journal.backup;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.RestoreContinuation;
import gatebook.events.journal.archive.ArchivedObject;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.backup.BackupManifest.BackupFile;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalBackupTest {
  private static final long SEGMENT_BYTES = 64 * 1024;
  private static final String LONG = "x".repeat(1_000);

  @TempDir Path temp;

  private JournalSettings settings;
  private Journal journal;
  private DirectoryTarget target;

  @BeforeEach
  void open() throws IOException {
    settings = settings(Files.createDirectory(temp.resolve("data")));
    journal = Journals.opened(settings);
    target = DirectoryTarget.open(temp.resolve("backups"));
  }

  @AfterEach
  void close() {
    journal.close();
    target.close();
  }

  private static JournalSettings settings(Path data) {
    return Journals.withSegments(Journals.inSegments(data), SEGMENT_BYTES);
  }

  private void appendSome(int count) {
    for (int i = 0; i < count; i++) {
      append(journal, draft("{\"text\":\"" + i + LONG + "\"}"));
    }
  }

  private JournalBackup.Outcome backup() {
    return new JournalBackup(journal, target, "1", (_, _, _, _) -> {}).run(Instant.now());
  }

  private JournalBackup.Outcome.Made made() {
    JournalBackup.Outcome outcome = backup();
    assertThat(outcome).isInstanceOf(JournalBackup.Outcome.Made.class);
    return (JournalBackup.Outcome.Made) outcome;
  }

  private JournalRestore.Outcome restore(Path data, RestoreEnd end) {
    return new JournalRestore(target, settings(data), data.resolve("journal"), (_, _, _, _) -> {})
        .run(new JournalRestore.Selection(Optional.empty(), Optional.empty(), end));
  }

  private JournalRestore.Outcome.Restored restored(Path data, RestoreEnd end) throws IOException {
    JournalRestore.Outcome outcome = restore(data, end);
    assertThat(outcome).isInstanceOf(JournalRestore.Outcome.Restored.class);
    Files.copy(settings.keyFile(), data.resolve("checkpoint.key"));
    return (JournalRestore.Outcome.Restored) outcome;
  }

  @Test
  void aBackupHasEverythingThatWasStored() throws IOException {
    appendSome(300);
    JournalBackup.Outcome.Made made = made();
    List<Entry> written = journal.read(0, 1_000);

    Path data = temp.resolve("restored");
    JournalRestore.Outcome.Restored restored = restored(data, new RestoreEnd.Everything());

    assertThat(made.manifest().size()).isEqualTo(300);
    assertThat(made.manifest().files()).hasSizeGreaterThan(3);
    assertThat(restored.isProven()).isTrue();
    assertThat(restored.mark().size()).isEqualTo(300);
    assertThat(restored.mark().coveredSize()).isEqualTo(300);
    try (Journal opened = Journals.opened(settings(data))) {
      assertThat(opened.state()).isEqualTo(new JournalState.ReadOnly(restored.mark().sentence()));
      assertThat(opened.read(0, 1_000)).usingRecursiveComparison().isEqualTo(written);
      assertThat(append(opened, draft("{}")))
          .isEqualTo(new Append.ReadOnly(restored.mark().sentence()));
    }
  }

  @Test
  void aSecondBackupCopiesOnlyWhatIsNew() throws IOException {
    appendSome(300);
    JournalBackup.Outcome.Made first = made();
    appendSome(5);
    JournalBackup.Outcome.Made second = made();

    assertThat(first.copied()).isEqualTo(first.manifest().files().size());
    assertThat(second.copied()).isEqualTo(1);
    assertThat(BackupManifest.names(target)).containsExactly(first.name(), second.name());
    assertThat(target.list("segments/").stream().mapToLong(ArchivedObject::bytes).sum())
        .isEqualTo(first.bytes() + second.bytes());
  }

  @Test
  void laterBackupsHoldNoDroppedEvents() throws IOException {
    appendSome(300);
    JournalBackup.Outcome.Made before = made();
    List<Entry> written = journal.read(0, 300);
    RecordedDrop drop = TestDrops.dropOldest(TestDrops.keepingEachTenth(journal));
    long covered = journal.head();
    appendSome(5);
    JournalBackup.Outcome.Made after = made();
    List<BackupFile> files = after.manifest().files();

    assertThat(files.getFirst().dropped()).isTrue();
    assertThat(files.getFirst().name()).isNotEqualTo(before.manifest().files().getFirst().name());
    assertThat(files.get(1)).isEqualTo(before.manifest().files().get(1));
    assertThat(made().manifest().files().getFirst()).isEqualTo(files.getFirst());
    assertThat(journal.read(0, 1).getFirst().position()).isEqualTo(10);
    Path data = temp.resolve("restored");
    assertThat(restored(data, new RestoreEnd.Everything()).isProven()).isTrue();
    try (Journal opened = Journals.opened(settings(data))) {
      assertThat(opened.droppedThrough().orElseThrow().position()).isEqualTo(drop.to());
      assertThat(opened.find(null, 0, 300, 300))
          .usingRecursiveComparison()
          .isEqualTo(
              written.stream()
                  .filter(it -> it.position() > drop.to() || it.position() % 10 == 0)
                  .toList());
    }
    for (RestoreEnd end :
        List.of(
            new RestoreEnd.Position(drop.to() - 1),
            new RestoreEnd.Position(covered - 1),
            new RestoreEnd.Time(drop.newestAt()))) {
      assertThat(restore(temp.resolve("refused"), end))
          .isInstanceOfSatisfying(
              JournalRestore.Outcome.Refused.class,
              it -> assertThat(it.sentence()).contains("were dropped for good before the backup"));
    }
    assertThat(restore(temp.resolve("later"), new RestoreEnd.Position(covered)))
        .isInstanceOf(JournalRestore.Outcome.Restored.class);
    assertThat(
            new JournalRestore(
                    target,
                    settings(temp.resolve("older")),
                    temp.resolve("older/journal"),
                    (_, _, _, _) -> {})
                .run(
                    new JournalRestore.Selection(
                        Optional.of(before.name()),
                        Optional.empty(),
                        new RestoreEnd.Position(drop.to() - 1))))
        .isInstanceOf(JournalRestore.Outcome.Restored.class);
  }

  @Test
  void aBackupThatFailsLeavesTheOneBefore() throws IOException {
    appendSome(10);
    JournalBackup.Outcome.Made first = made();
    appendSome(10);
    Path segments = temp.resolve("backups/segments");
    Files.move(segments, temp.resolve("moved"));
    Files.writeString(segments, "a file");

    assertThat(backup()).isInstanceOf(JournalBackup.Outcome.Refused.class);

    Files.delete(segments);
    Files.move(temp.resolve("moved"), segments);
    assertThat(BackupManifest.names(target)).containsExactly(first.name());
    assertThat(restored(temp.resolve("restored"), new RestoreEnd.Everything()).mark().size())
        .isEqualTo(10);
  }

  @Test
  void aJournalIsRestoredUpToAPosition() throws IOException {
    appendSome(200);
    journal.sign().join();
    append(journal, draft("{}"), draft("{}"), draft("{}"), draft("{}"));
    appendSome(20);
    made();
    List<Entry> written = journal.read(0, 202);

    Path data = temp.resolve("restored");
    JournalRestore.Outcome.Restored restored = restored(data, new RestoreEnd.Position(202));

    assertThat(restored.mark().size()).isEqualTo(202);
    assertThat(restored.mark().coveredSize()).isEqualTo(200);
    assertThat(restored.isProven()).isTrue();
    try (Journal opened = Journals.opened(settings(data))) {
      assertThat(opened.state()).isInstanceOf(JournalState.ReadOnly.class);
      assertThat(opened.read(0, 1_000)).usingRecursiveComparison().isEqualTo(written);
    }
  }

  @Test
  void aJournalIsRestoredUpToATime() throws IOException {
    append(journal, draft("{}"));
    Instant at = Instant.parse(journal.read(0, 1).getFirst().at());
    while (!Instant.now().isAfter(at)) {
      Thread.onSpinWait();
    }
    append(journal, draft("{}"));
    made();

    JournalRestore.Outcome.Restored restored =
        restored(temp.resolve("restored"), new RestoreEnd.Time(at));

    assertThat(restored.mark().size()).isEqualTo(1);
    assertThat(restored.isProven()).isTrue();
    assertThat(restore(temp.resolve("all"), new RestoreEnd.Time(at.plus(Duration.ofDays(1)))))
        .isInstanceOfSatisfying(
            JournalRestore.Outcome.Restored.class, it -> assertThat(it.mark().size()).isEqualTo(2));
  }

  @Test
  void restoredJournalGoesOnUnderAnotherOrigin() throws IOException {
    appendSome(100);
    made();
    Path data = temp.resolve("restored");
    RestoredMark mark = restored(data, new RestoreEnd.Everything()).mark();
    JournalSettings there = settings(data);

    assertThat(
            RestoreContinuation.of(there, mark, List.of(draft("{}")), Optional.of("log/restored")))
        .isEqualTo(new RestoreContinuation.Outcome.Continues(101, "log/restored"));

    try (Journal opened = Journals.opened(there)) {
      assertThat(opened.state()).isEqualTo(new JournalState.Writable());
      append(opened, draft("{}"));
      assertThat(opened.sign().join()).isInstanceOf(Append.Stored.class);
      assertThat(
              Checkpoint.open(
                  Files.readAllBytes(data.resolve("checkpoint")), List.of(opened.verifier())))
          .isInstanceOfSatisfying(
              OpenedNote.Valid.class,
              it -> assertThat(((Checkpoint) it.content()).origin()).isEqualTo("log/restored"));
    }
    assertThat(RestoreContinuation.of(there, mark, List.of(draft("{}")), Optional.of("log/again")))
        .isEqualTo(new RestoreContinuation.Outcome.Continues(102, "log/restored"));
  }

  @Test
  void forkOfTheSameOriginIsRefusedAsBackup() throws IOException {
    appendSome(10);
    made();
    Path data = temp.resolve("restored");
    RestoredMark mark = restored(data, new RestoreEnd.Position(5)).mark();
    JournalSettings there = settings(data);
    RestoreContinuation.of(there, mark, List.of(draft("{}")), Optional.empty());

    try (Journal fork = Journals.opened(there)) {
      for (int i = 0; i < 10; i++) {
        append(fork, draft("{}"));
      }
      assertThat(new JournalBackup(fork, target, "1", (_, _, _, _) -> {}).run(Instant.now()))
          .isInstanceOfSatisfying(
              JournalBackup.Outcome.Refused.class,
              it -> assertThat(it.sentence()).contains("one is a fork of the other"));
    }
  }

  @Test
  void whatIsNotWhatWasBackedUpIsRefused() throws IOException {
    appendSome(200);
    made();
    Path changed;
    try (Stream<Path> files = Files.list(temp.resolve("backups/segments"))) {
      changed = files.sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(changed);
    bytes[5_000] ^= 1;
    Files.write(changed, bytes);

    assertThat(restore(temp.resolve("restored"), new RestoreEnd.Everything()))
        .isInstanceOfSatisfying(
            JournalRestore.Outcome.Refused.class,
            it -> assertThat(it.sentence()).contains("is not what was backed up"));
    assertThat(Journal.open(settings(temp.resolve("restored"))))
        .isInstanceOfSatisfying(
            Journal.OpenResult.Refused.class,
            it ->
                assertThat(it.sentence()).contains("was not finished: run gatebook restore again"));
  }

  @Test
  void whatAReplacedKeySignedIsRestored() throws IOException {
    appendSome(60);
    journal.sign().join();
    journal
        .checkpointKeyRotation()
        .rotate((oldKey, newKey) ->
            new EventVocabulary()
                .draft(
                    new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                    Instant.now()));
    appendSome(60);
    made();

    assertThat(state(temp.resolve("all"), new RestoreEnd.Everything()))
        .isInstanceOf(JournalState.ReadOnly.class);
    assertThat(state(temp.resolve("before"), new RestoreEnd.Position(60)))
        .isInstanceOf(JournalState.ReadOnly.class);
  }

  /** Opens a restored journal without its private key. */
  private JournalState state(Path data, RestoreEnd end) {
    assertThat(restore(data, end))
        .isInstanceOfSatisfying(
            JournalRestore.Outcome.Restored.class, it -> assertThat(it.isProven()).isTrue());
    try (Journal opened = Journals.opened(settings(data))) {
      return opened.state();
    }
  }

  @Test
  void aJournalIsNotRestoredOverAnother() {
    appendSome(1);
    made();

    assertThat(restore(temp.resolve("data"), new RestoreEnd.Everything()))
        .isEqualTo(
            new JournalRestore.Outcome.Refused(
                "there is a journal in %s: restore into a new directory"
                    .formatted(temp.resolve("data"))));
  }
}
