package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.archive.FailingTarget;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal whose checkpoint key was replaced, for somebody who trusts one of its keys. */
class RotatedKeyTest {
  private static final CheckpointKey OLD_KEY = InMemoryJournal.KEY;
  private static final CheckpointKey NEW_KEY =
      InMemoryJournal.FOREIGN_KEY.named(OLD_KEY.verifier().name());
  private static final VerifierKey OLD = OLD_KEY.verifier();
  private static final VerifierKey NEW = NEW_KEY.verifier();

  /** Three events, a checkpoint, the rotation as event 4, another event and a checkpoint. */
  private static InMemoryJournal rotated() {
    InMemoryJournal journal = InMemoryJournal.of(3, 2, 3);
    journal.rotate(NEW_KEY);
    journal.append(new Random(4));
    journal.checkpoint();
    return journal;
  }

  @Test
  void eitherKeyVerifiesTheWholeJournal() {
    InMemoryJournal journal = rotated();
    ExternalCheckpoint before = kept(journal, 2);
    ExternalCheckpoint after = kept(journal, 4);

    for (VerifierKey key : List.of(OLD, NEW)) {
      VerificationReport report = journal.verify(key, before, after);
      assertThat(findings(report)).isEmpty();
      assertThat(report.totals().newestCheckpointSize()).isEqualTo(5);
      assertThat(report.totals().checkpoints()).isEqualTo(5);
    }
  }

  @Test
  void anEventAloneIntroducesNoKey() {
    InMemoryJournal journal = InMemoryJournal.of(3, 3);
    journal.recordRotation(NEW_KEY);
    journal.store(InMemoryJournal.note(journal.tree(), NEW_KEY));
    VerificationFinding finding =
        new VerificationFinding.KeyNotIntroduced(4, OLD.label(), NEW.label());

    VerificationReport report = journal.verify(OLD, kept(journal, 2));
    assertThat(findings(report))
        .contains(
            new VerificationFinding.KeyUnknown(
                "checkpoint 3 in the journal", 4, List.of(NEW.label())),
            finding);
    assertThat(report.totals().newestCheckpointSize()).isEqualTo(3);
    assertThat(findings(journal.verify(NEW))).containsExactly(finding);
  }

  /** Anybody can add a line to a note; the tree is still another one. */
  @Test
  void aCheckpointThatDisagreesIntroducesNoKey() {
    InMemoryJournal journal = InMemoryJournal.of(3, 3);
    journal.rotate(NEW_KEY);
    journal.replace(4, EntryColumn.NODE::changed);
    journal.recomputeAllButCheckpoints();
    journal.store(InMemoryJournal.note(journal.tree(), NEW_KEY));

    VerificationReport report = journal.verify(OLD);

    assertThat(report.clean()).isFalse();
    assertThat(report.totals().newestCheckpointSize()).isEqualTo(3);
    assertThat(findings(report))
        .contains(
            new VerificationFinding.KeyUnknown(
                "checkpoint 4 in the journal", 4, List.of(NEW.label())));
  }

  @Test
  void aReplacedKeySignsNothingAnyLonger() {
    InMemoryJournal journal = rotated();
    byte[] leaked = InMemoryJournal.note(journal.tree(), OLD_KEY);

    for (VerifierKey key : List.of(OLD, NEW)) {
      assertThat(findings(journal.verify(key, new ExternalCheckpoint("vault", leaked))))
          .containsExactly(
              new VerificationFinding.KeyNotInForce(
                  "the checkpoint kept in vault", 5, OLD.label(), NEW.label()));
    }
    journal.store(leaked);
    for (VerifierKey key : List.of(OLD, NEW)) {
      assertThat(findings(journal.verify(key)))
          .contains(
              new VerificationFinding.KeyNotInForce(
                  "checkpoint 6 in the journal", 5, OLD.label(), NEW.label()));
    }
  }

  /** Whoever has the old key can write a journal that names the new one, but not sign with it. */
  @Test
  void theOldKeyMakesNothingTrustedForTheNewOne() {
    InMemoryJournal journal = InMemoryJournal.of(3, 3);
    assertThat(journal.verify(NEW).clean()).isFalse();

    journal.recordRotation(NEW_KEY);
    journal.store(InMemoryJournal.note(journal.tree(), OLD_KEY));

    assertThat(findings(journal.verify(NEW)))
        .contains(
            new VerificationFinding.KeyNotIntroduced(4, OLD.label(), NEW.label()),
            new VerificationFinding.KeyNotInForce(
                "checkpoint 3 in the journal", 4, OLD.label(), NEW.label()));
  }

  /** With a key that leaked, an edited segment could be stamped. */
  @Test
  void segmentsAreStampedAgainByTheNewKey(@TempDir Path directory) {
    JournalSettings settings =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), 6_000), 4, 600_000);
    VerifierKey old;
    VerifierKey next;
    VerificationScope scope = new VerificationScope(false, 1);
    try (Journal journal = Journals.opened(settings)) {
      old = journal.verifier();
      append(journal, 100);
      long sealed = journal.head() / 2;
      await().until(() -> stampedEvents(journal, old) >= sealed);

      next = rotate(journal);
      append(journal, 100);
      await()
          .until(() -> {
            VerificationReport.Basis basis = verified(journal, next).basis();
            return basis.stampedEvents() >= 3 * sealed && basis.refusedStamps().isEmpty();
          });
    }
    try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
      VerificationReport byNext = verification(next).verify(snapshot, List.of(), scope);
      assertThat(findings(byNext)).isEmpty();
      assertThat(byNext.basis().refusedStamps()).isEmpty();
      VerificationReport byOld = verification(old).verify(snapshot, List.of(), scope);
      assertThat(findings(byOld)).isEmpty();
      assertThat(byOld.basis().stampedEvents()).isZero();
      assertThat(byOld.totals()).isEqualTo(byNext.totals());
    }
  }

  /** With a key that leaked, an edited object could be stamped before it is replaced. */
  @Test
  void archivedSegmentsAreStampedAgainWhenTheyAreRead(@TempDir Path directory) throws IOException {
    Path archive = directory.resolve("archive");
    AtomicInteger fetched = new AtomicInteger();
    JournalSettings settings =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), 6_000), 4, 600_000);
    SegmentRetention retention =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> FailingTarget.counting(DirectoryTarget.open(archive), fetched)),
            Duration.ofMillis(20));
    SegmentFiles files =
        new SegmentFiles(directory.resolve("journal"), new ReadHandles(), new FilterMemory());
    try (Journal journal =
        Journals.opened(
            Journals.at(((SegmentLocation) settings.location()).with(retention), settings))) {
      append(journal, 100);
      await().until(() -> isArchivedUpToLast(files));
      long second = files.firsts().get(1);
      long last = files.firsts().getLast();
      Path object = archive.resolve("segments/0000000000000000001.segment.z");
      byte[] genuine = Files.readAllBytes(object);
      byte[] note = files.mark(1).stamp();
      forgeFirst(files, object, key(settings));
      assertThat(stampedEvents(journal, journal.verifier())).isEqualTo(last - 1);

      VerifierKey next = rotate(journal);
      await().until(() -> stampedFrom(files, second, last, next));
      assertRefused(verified(journal, next, new VerificationScope(true, 1)));

      assertThat(findings(verified(journal, next)))
          .contains(new VerificationFinding.Missing(1, second - 1));
      Files.write(object, genuine);
      ArchivedMark.write(files, 1, note);
      int before = fetched.get();
      VerificationReport report = verified(journal, next);
      assertThat(findings(report)).isEmpty();
      assertRefused(report);
      assertThat(fetched).hasValue(before + 1);
    }
  }

  private static void assertRefused(VerificationReport report) {
    assertThat(report.basis().refusedStamps())
        .extracting(RefusedStamp::file)
        .containsExactly("0000000000000000001.archived");
  }

  private static boolean isArchivedUpToLast(SegmentFiles files) throws IOException {
    List<Long> firsts = files.firsts();
    return firsts.size() > 3
        && firsts.subList(0, firsts.size() - 1).stream().allMatch(files::isArchived);
  }

  /** Changes the first object, and stamps it. */
  private static void forgeFirst(SegmentFiles files, Path object, CheckpointKey by)
      throws IOException {
    SegmentStamp stamp = SegmentStamp.unverified(files.mark(1).stamp()).orElseThrow();
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length - 100] ^= 1;
    Files.write(object, bytes);
    SegmentStamp forged =
        new SegmentStamp(
            stamp.origin(),
            stamp.segment(),
            stamp.settled(),
            new StampedFile(stamp.segmentFile().state(), Sha256.newDigest().digest(bytes)),
            stamp.indexFile(),
            stamp.at());
    ArchivedMark.write(files, 1, forged.signedBy(by));
  }

  private static boolean stampedFrom(SegmentFiles files, long from, long to, VerifierKey key)
      throws IOException {
    for (long first : files.firsts()) {
      if (first >= from
          && first < to
          && !(SegmentStamp.open(files.mark(first).stamp(), List.of(key))
              instanceof SegmentStamp.Opening.Trusted)) {
        return false;
      }
    }
    return true;
  }

  private static CheckpointKey key(JournalSettings settings) {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(settings.keyFile())).key();
  }

  private static VerifierKey rotate(Journal journal) {
    return ((CheckpointKeyRotation.Outcome.Rotated)
            journal
                .checkpointKeyRotation()
                .rotate((oldKey, newKey) ->
                    new EventVocabulary()
                        .draft(
                            new CheckpointKeyRotated("a", oldKey.text(), newKey.text()),
                            Instant.now())))
        .newKey();
  }

  private static void append(Journal journal, int events) {
    for (int i = 0; i < events; i++) {
      Journals.append(journal, Journals.draft("{\"n\":%d}".formatted(i)));
    }
  }

  private static long stampedEvents(Journal journal, VerifierKey key) {
    return verified(journal, key).basis().stampedEvents();
  }

  private static VerificationReport verified(Journal journal, VerifierKey key) {
    return verified(journal, key, new VerificationScope(false, 1));
  }

  private static VerificationReport verified(
      Journal journal, VerifierKey key, VerificationScope scope) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      return verification(key).verify(snapshot, List.of(), scope);
    }
  }

  private static Verification verification(VerifierKey key) {
    return new Verification(List.of(key), VerificationLimits.DEFAULT);
  }

  private static ExternalCheckpoint kept(InMemoryJournal journal, int number) {
    return new ExternalCheckpoint(
        "vault/" + number, journal.checkpoints.get(number - 1).note().getBytes(UTF_8));
  }

  private static List<VerificationFinding> findings(VerificationReport report) {
    return report.found().stream().map(VerificationReport.Found::finding).toList();
  }
}
