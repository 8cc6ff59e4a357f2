package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
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

      next =
          ((CheckpointKeyRotation.Outcome.Rotated)
                  journal
                      .checkpointKeyRotation()
                      .rotate((oldKey, newKey) ->
                          new EventVocabulary()
                              .draft(
                                  new CheckpointKeyRotated("a", oldKey.text(), newKey.text()),
                                  Instant.now())))
              .newKey();
      append(journal, 100);
      await().until(() -> stampedEvents(journal, next) >= 3 * sealed);
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

  private static void append(Journal journal, int events) {
    for (int i = 0; i < events; i++) {
      Journals.append(journal, Journals.draft("{\"n\":%d}".formatted(i)));
    }
  }

  private static long stampedEvents(Journal journal, VerifierKey key) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      return verification(key)
          .verify(snapshot, List.of(), new VerificationScope(false, 1))
          .basis()
          .stampedEvents();
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
