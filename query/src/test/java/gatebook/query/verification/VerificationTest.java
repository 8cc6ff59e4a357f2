package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.tree.RightEdge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VerificationTest {

  @Test
  void anUnchangedJournalIsCleanAndItsTotalsAreReported() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 3, 7);

    assertThat(inMemoryJournal.verify())
        .usingRecursiveComparison()
        .isEqualTo(
            new VerificationReport(
                List.of(),
                Map.of(),
                0,
                0,
                new VerificationReport.Totals(
                    10, 10, InMemoryJournal.base64(inMemoryJournal.tree().root()), 3, 7, 3),
                currentTree(inMemoryJournal.tree()),
                new VerificationReport.Basis(
                    10,
                    List.of(new VerificationReport.PositionRange(1, 10)),
                    0,
                    List.of(),
                    0,
                    Optional.empty(),
                    List.of()),
                Optional.empty()));
  }

  @Test
  void anEmptyJournalIsClean() {
    InMemoryJournal unborn = new InMemoryJournal();
    unborn.checkpoints.clear();
    unborn.file = Optional.empty();

    assertThat(unborn.verify().clean()).isTrue();
    assertThat(new InMemoryJournal().verify().clean()).isTrue();
  }

  @Test
  void anExternalCheckpointFindsAnEditByTheKeyOwner() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 4, 8);
    ExternalCheckpoint kept =
        new ExternalCheckpoint(
            "vault/4", inMemoryJournal.checkpoints.get(1).note().getBytes(UTF_8));
    inMemoryJournal.replace(4, EntryColumn.PAYLOAD::changed);
    inMemoryJournal.recomputeAllButCheckpoints();
    inMemoryJournal.resign();

    assertThat(inMemoryJournal.verify().clean()).isTrue();
    assertThat(findings(inMemoryJournal.verify(kept)))
        .containsExactly(
            new VerificationFinding.ElsewhereMismatch(
                "the checkpoint kept in vault/4", 4, "history up to there was rewritten since"));
  }

  @Test
  void aKeyOwnersEditAfterTheCheckpointIsNotFound() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 4, 8);
    ExternalCheckpoint kept =
        new ExternalCheckpoint(
            "vault/4", inMemoryJournal.checkpoints.get(1).note().getBytes(UTF_8));
    inMemoryJournal.replace(5, EntryColumn.PAYLOAD::changed);
    inMemoryJournal.recomputeAllButCheckpoints();
    inMemoryJournal.resign();

    assertThat(inMemoryJournal.verify(kept).clean()).isTrue();
  }

  @Test
  void anExternalCheckpointWithAForeignKeyIsNotTrusted() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(3);
    byte[] foreign = InMemoryJournal.note(inMemoryJournal.tree(), InMemoryJournal.FOREIGN_KEY);

    assertThat(findings(inMemoryJournal.verify(new ExternalCheckpoint("vault", foreign))))
        .containsExactly(
            new VerificationFinding.KeyUnknown(
                "the checkpoint kept in vault", Long.MAX_VALUE, List.of("EnochRoot+af0cfe78")));
  }

  @Test
  void aCheckpointOfAnotherJournalIsUnusable() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(3);
    byte[] other =
        new Checkpoint("other.example", 3, inMemoryJournal.tree().root())
            .signedBy(InMemoryJournal.KEY);
    inMemoryJournal.checkpoints.add(InMemoryJournal.stored(2, inMemoryJournal.tree(), other));

    assertThat(findings(inMemoryJournal.verify()))
        .containsExactly(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint 2 in the journal", 3, "it is of another journal, other.example"));
  }

  @Test
  void theFirstDisagreementIsNarrowedToTwoCheckpoints() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(100, 20, 40, 60, 80);
    inMemoryJournal.replace(41, EntryColumn.NAME::changed);
    inMemoryJournal.recomputeAllButCheckpoints();
    inMemoryJournal.file = Optional.of(inMemoryJournal.checkpoints.get(1).note().getBytes(UTF_8));

    assertThat(findings(inMemoryJournal.verify()))
        .containsExactly(
            new VerificationFinding.CheckpointMismatch(
                "checkpoint 4 in the journal", 40, 60, 80, 2));
  }

  @Test
  void aCheckpointDistinguishesAnAlteredLeafFromAnAlteredEvent() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 5);
    inMemoryJournal.replace(5, EntryColumn.LEAF::changed);
    inMemoryJournal.replace(6, EntryColumn.LEAF::changed);

    assertThat(findings(inMemoryJournal.verify()))
        .containsExactly(
            new VerificationFinding.Altered(5, true), new VerificationFinding.Altered(6, false));
  }

  @Test
  void aDuplicateEventIsFoundEvenWhenSigned() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(6);
    inMemoryJournal.replace(
        5,
        entry ->
            inMemoryJournal.withLeaf(
                EntryColumn.ID.set(entry, EntryColumn.bytes(inMemoryJournal.at(2).id()))));
    inMemoryJournal.recomputeAllButCheckpoints();
    inMemoryJournal.resign();

    assertThat(findings(inMemoryJournal.verify()))
        .containsExactly(new VerificationFinding.Duplicate(5, 2, "id-2x"));
  }

  @Test
  void anAcceptedMismatchIsReportedAndDoesNotFail() {
    InMemoryJournal inMemoryJournal = tamperedAndAccepted();

    VerificationReport verificationReport = inMemoryJournal.verify();

    Optional<AcceptedMismatch> acceptance =
        Optional.of(
            new AcceptedMismatch(
                11,
                10,
                InMemoryJournal.base64(inMemoryJournal.tree(10).root()),
                "alice",
                "disk restored by hand"));
    assertThat(verificationReport.clean()).isTrue();
    assertThat(verificationReport.accepted()).isEqualTo(2);
    assertThat(verificationReport.found())
        .containsExactly(
            new VerificationReport.Found(new VerificationFinding.Altered(3, false), acceptance),
            new VerificationReport.Found(
                new VerificationFinding.CheckpointMismatch(
                    "checkpoint 2 in the journal", 0, 5, 10, 2),
                acceptance));
    assertThat(verificationReport.totals().newestCheckpointSize()).isEqualTo(11);
  }

  @Test
  void anEditAfterTheAcceptanceFails() {
    for (long position = 1; position <= 11; position++) {
      InMemoryJournal inMemoryJournal = tamperedAndAccepted();
      inMemoryJournal.replace(position, EntryColumn.METADATA::changed);

      assertThat(inMemoryJournal.verify().clean()).isFalse();
    }
  }

  @Test
  void anUnsignedAcceptanceAcceptsNothing() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 5, 10);
    inMemoryJournal.replace(3, EntryColumn.PAYLOAD::changed);
    inMemoryJournal.recomputeAllButCheckpoints();
    inMemoryJournal.accept(inMemoryJournal.verify().currentTree().orElseThrow(), "trust me");

    assertThat(inMemoryJournal.verify().failing())
        .isEqualTo(inMemoryJournal.verify().found().size())
        .isPositive();

    inMemoryJournal.checkpoint();

    assertThat(inMemoryJournal.verify().clean()).isTrue();
  }

  @Test
  void anAcceptanceOfOtherRowsAcceptsNothing() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 5, 10);
    inMemoryJournal.replace(3, EntryColumn.PAYLOAD::changed);
    VerificationReport.CurrentTree seen = inMemoryJournal.verify().currentTree().orElseThrow();
    inMemoryJournal.replace(4, EntryColumn.PAYLOAD::changed);
    VerificationReport.CurrentTree accepted = inMemoryJournal.verify().currentTree().orElseThrow();
    inMemoryJournal.accept(
        new VerificationReport.CurrentTree(
            seen.size(), seen.root(), accepted.edge(), List.of(), true),
        "one event was lost");
    inMemoryJournal.checkpoint();

    assertThat(inMemoryJournal.verify().accepted()).isEqualTo(0);
  }

  @Test
  void anAcceptanceDoesNotCoverAnExternalCheckpoint() {
    InMemoryJournal inMemoryJournal = tamperedAndAccepted();
    ExternalCheckpoint kept =
        new ExternalCheckpoint("vault", inMemoryJournal.checkpoints.get(1).note().getBytes(UTF_8));

    assertThat(inMemoryJournal.verify(kept).failing()).isEqualTo(1);
  }

  @Test
  void aTruncatedJournalContinuesAfterItsLastAssignedPosition() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(12, 5, 10);
    inMemoryJournal.events.subList(8, 12).clear();
    inMemoryJournal.index.removeIf(indexed -> indexed.first() > 8);

    VerificationReport.CurrentTree currentTree =
        inMemoryJournal.verify().currentTree().orElseThrow();
    inMemoryJournal.accept(currentTree, "power loss");
    inMemoryJournal.checkpoint();
    VerificationReport verificationReport = inMemoryJournal.verify();

    assertThat(currentTree.size()).isEqualTo(12);
    assertThat(findings(verificationReport))
        .containsExactly(
            new VerificationFinding.Missing(9, 12),
            new VerificationFinding.CheckpointMismatch(
                "checkpoint 3 in the journal", 5, 10, 10, 1));
    assertThat(verificationReport.clean()).isTrue();
    assertThat(verificationReport.totals().lastPosition()).isEqualTo(13);
  }

  @Test
  void findingsBeyondTheLimitAreCountedOnly() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(20, 10);
    inMemoryJournal.events.replaceAll(EntryColumn.VERSION::changed);

    VerificationReport all =
        inMemoryJournal.verify(new VerificationLimits(23, 500, 1_000_000, 100));
    VerificationReport some =
        inMemoryJournal.verify(new VerificationLimits(22, 500, 1_000_000, 100));

    assertThat(all.counts())
        .isEqualTo(Map.of("altered", 20L, "checkpoint-mismatch", 2L, "edge-mismatch", 1L));
    assertThat(all.omitted()).isEqualTo(0);
    assertThat(some.omitted()).isEqualTo(1);
    assertThat(some.counts()).isEqualTo(all.counts());
    assertThat(some.failing()).isEqualTo(23);
  }

  @Test
  void rowsBeyondTheSuspectLimitAreReportedAsAltered() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(6);
    inMemoryJournal.replace(1, EntryColumn.NAME::changed);
    inMemoryJournal.replace(2, _ -> EntryColumn.moved(InMemoryJournal.of(6).at(5), 2));
    inMemoryJournal.replace(5, _ -> EntryColumn.moved(InMemoryJournal.of(6).at(2), 5));

    assertThat(findings(inMemoryJournal.verify(new VerificationLimits(10, 3, 1_000, 100))))
        .contains(new VerificationFinding.Reordered(2, 5), new VerificationFinding.Reordered(5, 2));
    assertThat(findings(inMemoryJournal.verify(new VerificationLimits(10, 2, 1_000, 100))))
        .contains(
            new VerificationFinding.Altered(2, false), new VerificationFinding.Altered(5, false));
    assertThat(findings(inMemoryJournal.verify(new VerificationLimits(10, 3, 10, 100))))
        .contains(
            new VerificationFinding.Altered(2, false), new VerificationFinding.Altered(5, false));
  }

  @Test
  void theTreeSpansMissingEventsUpToTheLimit() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(20, 20);
    inMemoryJournal.events.subList(4, 14).clear();
    inMemoryJournal.index.removeIf(indexed -> indexed.first() > 4 && indexed.first() < 15);

    assertThat(inMemoryJournal.verify(new VerificationLimits(10, 10, 1_000, 10)).currentTree())
        .isPresent();
    assertThat(inMemoryJournal.verify(new VerificationLimits(10, 10, 1_000, 9)).currentTree())
        .isEmpty();
    assertThat(findings(inMemoryJournal.verify(new VerificationLimits(10, 10, 1_000, 9))))
        .containsExactly(
            new VerificationFinding.Missing(5, 14),
            new VerificationFinding.CheckpointMismatch("checkpoint 2 in the journal", 0, 20, 20, 1),
            new VerificationFinding.CheckpointMismatch("the checkpoint file", 0, 20, 20, 1),
            new VerificationFinding.EdgeMismatch(
                20, "too many events are missing to compute the tree"));
  }

  @Test
  void anInvalidAcceptancePayloadIsAnOrdinaryEvent() {
    for (String payload :
        List.of(
            "",
            "{",
            "null",
            "[]",
            "{\"size\":\"many\"}",
            "{\"size\":2,\"root\":7}",
            "{\"size\":-1}",
            "{\"size\":3}",
            "{\"size\":1e99}")) {
      InMemoryJournal inMemoryJournal = InMemoryJournal.of(2);
      inMemoryJournal.append(AcceptedMismatch.EVENT_NAME, "", payload);
      inMemoryJournal.checkpoint();

      assertThat(inMemoryJournal.verify().clean()).isTrue();
    }
  }

  private static InMemoryJournal tamperedAndAccepted() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(10, 5, 10);
    inMemoryJournal.replace(3, EntryColumn.PAYLOAD::changed);
    inMemoryJournal.accept(
        inMemoryJournal.verify().currentTree().orElseThrow(), "disk restored by hand");
    inMemoryJournal.checkpoint();
    inMemoryJournal.append(new Random(12));
    return inMemoryJournal;
  }

  @Test
  void aLogWithTwoOriginsIsCleanUnderOneKey() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(5, 3, 5);
    byte[] old = inMemoryJournal.file.orElseThrow();
    goOnAs(inMemoryJournal, "log/restored");

    assertThat(findings(inMemoryJournal.verify(new ExternalCheckpoint("old", old)))).isEmpty();
    assertThat(
            new Verification(
                    List.of(InMemoryJournal.TRUSTED.named("log/restored")),
                    VerificationLimits.DEFAULT)
                .verify(inMemoryJournal, List.of(), new VerificationScope(true, 1))
                .clean())
        .isTrue();
  }

  @Test
  void anOriginThatNoEventBeganIsRefused() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(5, 3);
    inMemoryJournal.origin = "log/other";
    inMemoryJournal.append(new Random(6));
    inMemoryJournal.checkpoint();

    assertThat(findings(inMemoryJournal.verify()))
        .containsExactly(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint 3 in the journal", 6, "it is of another journal, log/other"),
            new VerificationFinding.CheckpointUnusable(
                "the checkpoint file", Long.MAX_VALUE, "it is of another journal, log/other"));
  }

  @Test
  void theOldOriginIsRefusedAfterItsEnd() {
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(5, 5);
    goOnAs(inMemoryJournal, "log/restored");
    inMemoryJournal.origin = InMemoryJournal.TRUSTED.name();
    inMemoryJournal.append(new Random(7));
    inMemoryJournal.checkpoint();

    assertThat(findings(inMemoryJournal.verify()))
        .contains(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint 4 in the journal",
                8,
                "its origin is PeterNeumann, and over 8 events that of the log is log/restored"));
  }

  @Test
  void forksCheckpointNamesWhereItsOriginEnded() {
    InMemoryJournal fork = InMemoryJournal.of(8, 8);
    InMemoryJournal inMemoryJournal = InMemoryJournal.of(5, 5);
    goOnAs(inMemoryJournal, "log/restored");
    inMemoryJournal.append(new Random(7));

    assertThat(
            findings(
                inMemoryJournal.verify(new ExternalCheckpoint("fork", fork.file.orElseThrow()))))
        .containsExactly(
            new VerificationFinding.ElsewhereMismatch(
                "the checkpoint kept in fork",
                8,
                "its origin PeterNeumann ended here before event 6, where log/restored began:"
                    + " nothing proves that one goes on as the other"));
  }

  private static void goOnAs(InMemoryJournal inMemoryJournal, String origin) {
    inMemoryJournal.beginOrigin(origin);
    inMemoryJournal.checkpoint();
    inMemoryJournal.append(new Random(6));
  }

  private static List<VerificationFinding> findings(VerificationReport verificationReport) {
    return verificationReport.found().stream().map(VerificationReport.Found::finding).toList();
  }

  private static Optional<VerificationReport.CurrentTree> currentTree(RightEdge tree) {
    return Optional.of(
        new VerificationReport.CurrentTree(
            tree.size(), InMemoryJournal.base64(tree.root()), tree.bytes(), List.of(), true));
  }
}
