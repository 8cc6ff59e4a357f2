package gatebook.query.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalEditor;
import gatebook.events.journal.Journals;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.tree.InclusionVerifier;
import gatebook.events.journal.tree.RightEdge;
import gatebook.query.proof.InclusionProof.Proven;
import gatebook.query.proof.InclusionProof.ProvenEvent;
import gatebook.query.verification.Verification;
import gatebook.query.verification.VerificationLimits;
import gatebook.query.verification.VerificationReport.CurrentTree;
import gatebook.query.verification.VerificationScope;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proofs are verified without the journal, from the checkpoint, the key and the path. */
@Timeout(300)
final class ProofQueriesTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final int NEVER = Integer.MAX_VALUE;

  @TempDir private Path directory;

  private @Nullable Journal opened;

  enum DatabaseKind {
    SEGMENTS,
    POSTGRES
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private Journal journal() {
    return Objects.requireNonNull(opened);
  }

  @Test
  void strangersVerifyEventsOfRandomJournals() {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    JournalSettings settings = Journals.inSegments(directory);
    opened = Journals.opened(Journals.withCheckpoints(settings, 1 + random.nextInt(40), 1_000));
    ProofQueries queries = new ProofQueries(journal());

    for (int round = 0; round < Proof.rounds(4, 12); round++) {
      append(1 + random.nextInt(400), random);
      long head = journal().head();
      awaitCheckpointOver(1 + random.nextLong(head));
      for (int i = 0; i < 10; i++) {
        long position = 1 + random.nextLong(head);
        Proven proven = proven(queries.handle(new ProveEvents(List.of(position))));
        assertThat(proven.events()).as("seed %d", seed).hasSize(1);
        assertVerifies(proven, "seed %d, position %d".formatted(seed, position));
      }
    }
  }

  @Test
  void allEventsOfACallAreProvenAtOnce() {
    opened = Journals.opened(Journals.withCheckpoints(Journals.inSegments(directory), 1, 1_000));
    UUID call = new UUID(1, 2);
    Tag tag = new Tag("call", call.toString());
    Journals.append(journal(), Journals.draft("a", tag), Journals.draft("b"));
    Journals.append(journal(), Journals.draft("c", tag));
    awaitCheckpointOver(3);

    Proven proven = proven(new ProofQueries(journal()).handle(new ProveCall(call)));

    assertThat(proven.events()).extracting(ProvenEvent::position).containsExactly(1L, 3L);
    assertThat(proven.events()).extracting(ProvenEvent::name).containsOnly("Happened");
    assertThat(proven.signedTree().lastEventAt()).contains(journal().read(2, 1).getFirst().at());
    assertVerifies(proven, "a call");
  }

  @Test
  void anEventBeyondTheCheckpointHasNoPath() {
    opened =
        Journals.opened(Journals.withCheckpoints(Journals.inSegments(directory), NEVER, NEVER));
    Journals.append(journal(), Journals.draft("a"));

    Proven proven = proven(new ProofQueries(journal()).handle(new ProveEvents(List.of(1L))));

    assertThat(proven.signedTree().size()).isZero();
    assertThat(proven.signedTree().lastEventAt()).isEmpty();
    assertThat(proven.events())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.path()).isEmpty();
          assertThat(HEX.formatHex(event.leaf()))
              .isEqualTo(InclusionVerifier.leaf(event.envelope()));
        });
  }

  @Test
  void whatIsNotRecordedHasNoProof() {
    opened = Journals.opened(Journals.inSegments(directory));
    Journals.append(journal(), Journals.draft("a"));
    ProofQueries queries = new ProofQueries(journal());

    assertThat(
            List.of(
                queries.handle(new ProveEvents(List.of(0L))),
                queries.handle(new ProveEvents(List.of(2L))),
                queries.handle(new ProveCall(new UUID(1, 2)))))
        .containsOnly(new InclusionProof.NothingRecorded());
  }

  @Test
  void aTreeThatTakesTooLongIsReadOnMeanwhile() {
    opened = Journals.opened(Journals.withCheckpoints(Journals.inSegments(directory), 1, 1_000));
    append(5_000, new SplittableRandom(1));
    awaitCheckpointOver(5_000);

    ProofQueries queries = new ProofQueries(journal(), 0);

    assertThat(queries.handle(new ProveEvents(List.of(1L))))
        .isEqualTo(new InclusionProof.BeingRead(1_024, 5_000));
    await().until(() -> queries.handle(new ProveEvents(List.of(1L))) instanceof Proven);
    assertVerifies(proven(queries.handle(new ProveEvents(List.of(1L)))), "read meanwhile");
  }

  @ParameterizedTest
  @EnumSource
  void anEditedEventIsNotThatOfItsLeaf(DatabaseKind databaseKind) {
    JournalSettings settings = settings(databaseKind);
    opened = Journals.opened(Journals.withCheckpoints(settings, 1, 1_000));
    append(50, new SplittableRandom(1));
    awaitCheckpointOver(50);
    Journals.editor(settings.location()).rename(7, "test.Repeated"); // as long as before
    ProofQueries queries = new ProofQueries(journal());

    ProvenEvent edited = proven(queries.handle(new ProveEvents(List.of(7L)))).events().getFirst();
    Proven other = proven(queries.handle(new ProveEvents(List.of(8L))));

    assertThat(InclusionVerifier.leaf(edited.envelope()))
        .isNotEqualTo(HEX.formatHex(edited.leaf()));
    assertVerifies(other, "not edited");
  }

  @Test
  void aLostEventDisagreesWithTheCheckpoint() {
    JournalSettings settings = Journals.inSegments(directory);
    opened = Journals.opened(Journals.withCheckpoints(settings, 1, 1_000));
    append(50, new SplittableRandom(1));
    journal().close();
    Journals.editor(settings.location()).deleteEvents(7);
    opened = Journals.opened(settings);

    InclusionProof proof = new ProofQueries(journal()).handle(new ProveEvents(List.of(8L)));

    assertThat(proof)
        .isEqualTo(
            new InclusionProof.Disagreement(journal().newestCheckpoint().orElseThrow().size()));
  }

  @Test
  void eventsAreProvenAfterAnEditWasAccepted() {
    JournalSettings settings = Journals.withCheckpoints(Journals.inSegments(directory), 1, 1_000);
    opened = Journals.opened(settings);
    append(50, new SplittableRandom(1));
    VerifierKey key = journal().verifier();
    journal().close();
    JournalEditor editor = Journals.editor(settings.location());
    editor.rename(7, "test.Repeated");
    editor.deleteEvents(9);
    accept(settings, key);
    opened = Journals.opened(settings);
    ProofQueries queries = new ProofQueries(journal());

    for (long position : new long[] {1, 7, 8, 10, 51}) {
      assertVerifies(
          proven(queries.handle(new ProveEvents(List.of(position)))), "position " + position);
    }
  }

  private static void accept(JournalSettings settings, VerifierKey key) {
    CurrentTree tree;
    try (JournalSnapshot snapshot =
        ((JournalSnapshot.TakeResult.Taken) JournalSnapshot.take(settings)).snapshot()) {
      tree =
          new Verification(List.of(key), VerificationLimits.DEFAULT)
              .verify(snapshot, List.of(), new VerificationScope(true, 1))
              .currentTree()
              .orElseThrow();
    }
    assertThat(
            MismatchAcceptance.accept(
                settings,
                RightEdge.restored(tree.size(), tree.edge()).orElseThrow(),
                List.of(Journals.draft("accepted")),
                Optional.empty()))
        .isEqualTo(new MismatchAcceptance.Outcome.Accepted(tree.size() + 1));
  }

  private void append(int events, SplittableRandom random) {
    int left = events;
    while (left > 0) {
      int batch = Math.min(left, 1 + random.nextInt(100));
      Journals.append(
          journal(),
          IntStream.range(0, batch)
              .mapToObj(i -> Journals.draft("\u00e9 %d".formatted(random.nextLong())))
              .toArray(DraftEvent[]::new));
      left -= batch;
    }
  }

  private void awaitCheckpointOver(long size) {
    await().until(() -> journal().newestCheckpoint().orElseThrow().size() >= size);
  }

  private void assertVerifies(Proven proven, String description) {
    for (ProvenEvent event : proven.events()) {
      String leaf = HEX.formatHex(event.leaf());
      if (event.path().isEmpty()) {
        assertThat(event.position()).as(description).isGreaterThan(proven.signedTree().size());
      } else {
        assertThat(InclusionVerifier.leaf(event.envelope())).as(description).isEqualTo(leaf);
        List<String> path =
            event.path().orElseThrow().hashes().stream().map(HEX::formatHex).toList();
        assertThat(
                InclusionVerifier.verifies(
                    proven.signedTree().note(),
                    journal().verifier().text(),
                    event.position() - 1,
                    leaf,
                    path))
            .as(description)
            .isTrue();
        assertThat(
                InclusionVerifier.verifies(
                    proven.signedTree().note(),
                    journal().verifier().text(),
                    event.position(),
                    leaf,
                    path))
            .as(description + ", one further")
            .isFalse();
      }
    }
  }

  private static Proven proven(InclusionProof proof) {
    assertThat(proof).isInstanceOf(Proven.class);
    return (Proven) proof;
  }

  private JournalSettings settings(DatabaseKind databaseKind) {
    return switch (databaseKind) {
      case SEGMENTS -> Journals.inSegments(directory);
      case POSTGRES -> Journals.shared(directory);
    };
  }
}
