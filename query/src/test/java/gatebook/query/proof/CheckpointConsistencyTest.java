package gatebook.query.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.ProvableJournal;
import gatebook.events.journal.StoredJournal;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.ConsistencyFile;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import gatebook.events.journal.witness.ForeignLog;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
final class CheckpointConsistencyTest {
  private static final int EVENTS = 60;
  private static final int CHECKPOINTS_EVERY = 4;

  @TempDir private Path directory;
  private final List<String> notes = new ArrayList<>();

  enum Storage {
    SEGMENTS,
    POSTGRES
  }

  private JournalSettings settings(Storage storage) {
    JournalSettings settings =
        storage == Storage.SEGMENTS
            ? Journals.withSegments(Journals.inSegments(directory), 5_000)
            : Journals.settings(directory, Journals.freshSchema().withPartitions(15));
    return Journals.withCheckpoints(settings, Integer.MAX_VALUE, 600_000);
  }

  /** Appends events, and keeps a note over every few of them. */
  private void write(Journal journal, int events) {
    for (int i = 1; i <= events; i++) {
      await().until(() -> Journals.append(journal, Journals.draft("{}")) instanceof Append.Stored);
      if (i % CHECKPOINTS_EVERY == 0) {
        notes.add(signed(journal));
      }
    }
  }

  private static String signed(Journal journal) {
    await().until(() -> !(journal.sign().join() instanceof Append.Refused));
    return journal.newestCheckpoint().map(StoredCheckpoint::note).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void everyTwoCheckpointsAreProvenAlsoWithoutTheirEvents(Storage storage) {
    JournalSettings settings = settings(storage);
    VerifierKey key;
    try (Journal journal = Journals.opened(settings)) {
      key = journal.verifier();
      write(journal, EVENTS);
      assertProven(journal, key);
      await().until(() -> TestDrops.keepingEachTenth(journal).oldest().isPresent());
      TestDrops.dropOldest(TestDrops.keepingEachTenth(journal));
      assertProven(journal, key);
    }
    try (StoredJournal stored =
        ((StoredJournal.Opening.Opened) StoredJournal.open(settings)).journal()) {
      assertProven(stored, key);
    }
  }

  /** Each pair of some of the notes is proven by what a reader computes from the file alone. */
  private void assertProven(ProvableJournal journal, VerifierKey key) {
    CheckpointConsistency consistency = new CheckpointConsistency(journal, key);
    SplittableRandom random = Proof.random("pairs of checkpoints");
    for (int i = 0; i < Proof.rounds(20, 200); i++) {
      String older = notes.get(random.nextInt(notes.size() / 2));
      String newer = notes.get(notes.size() / 2 + random.nextInt(notes.size() / 2));
      ConsistencyFile file =
          ConsistencyFile.read(proven(consistency.prove(older, Optional.of(newer))).file().bytes())
              .orElseThrow();
      assertThat(file.older()).isEqualTo(older);
      assertThat(file.newer()).isEqualTo(newer);
      Checkpoint from = checkpoint(older);
      Checkpoint to = checkpoint(newer);
      assertThat(
              new ConsistencyProof(from.size(), to.size(), file.hashes())
                  .proves(from.root(), to.root()))
          .as("from %d to %d", from.size(), to.size())
          .isTrue();
      assertThat(consistency.prove(from.size(), Optional.of(newer)))
          .usingRecursiveComparison()
          .isEqualTo(consistency.prove(older, Optional.of(newer)));
    }
  }

  private static ConsistencyResult.Proven proven(ConsistencyResult result) {
    return switch (result) {
      case ConsistencyResult.Proven proven -> proven;
      case ConsistencyResult.NotProven(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static Checkpoint checkpoint(String note) {
    return Checkpoint.ofNote(note).orElseThrow();
  }

  private static String refusal(ConsistencyResult result) {
    return ((ConsistencyResult.NotProven) result).sentence();
  }

  @Test
  void checkpointsOfBothKeysAreProven() {
    try (Journal journal = Journals.opened(settings(Storage.SEGMENTS))) {
      VerifierKey old = journal.verifier();
      write(journal, 8);
      rotate(journal);
      write(journal, 8);

      for (VerifierKey key : List.of(old, journal.verifier())) {
        CheckpointConsistency consistency = new CheckpointConsistency(journal, key);
        proven(consistency.prove(notes.getFirst(), Optional.empty()));
        proven(consistency.prove(notes.getFirst(), Optional.of(notes.get(1))));
      }
    }
  }

  private static void rotate(Journal journal) {
    assertThat(
            journal
                .checkpointKeyRotation()
                .rotate((oldKey, newKey) ->
                    new EventVocabulary()
                        .draft(
                            new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                            Instant.now())))
        .isInstanceOf(CheckpointKeyRotation.Outcome.Rotated.class);
  }

  @Test
  void whatIsNoCheckpointOfTheJournalIsRefused() {
    try (Journal journal = Journals.opened(settings(Storage.SEGMENTS))) {
      CheckpointConsistency consistency = new CheckpointConsistency(journal, journal.verifier());
      write(journal, 8);
      String note = notes.getFirst();
      ForeignLog foreign = ForeignLog.named("log.example/a").grow("a", "b");

      assertThat(refusal(consistency.prove(foreign.checkpoint(2), Optional.empty())))
          .startsWith("the older checkpoint is signed by log.example/a+")
          .endsWith(", and by no key of this journal");
      assertThat(refusal(consistency.prove(note.replace("\n4\n", "\n3\n"), Optional.empty())))
          .startsWith("the older checkpoint was changed: its signature by ");
      assertThat(refusal(consistency.prove("4", Optional.empty())))
          .startsWith("the older checkpoint is none: in line ");
      assertThat(refusal(consistency.prove(5, Optional.empty())))
          .isEqualTo("the journal has no checkpoint over 5 events");
      assertThat(refusal(consistency.prove(notes.get(1), Optional.of(note))))
          .isEqualTo("the older checkpoint is over 8 events, and the newer one over 4");
      assertThat(refusal(consistency.prove(note, Optional.of(foreign.checkpoint(1)))))
          .startsWith("the newer checkpoint is signed by log.example/a+");
    }
  }
}
