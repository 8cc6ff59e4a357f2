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
  void anUntouchedJournalIsCleanAndItsTotalsAreTold() {
    Book book = Book.of(10, 3, 7);

    assertThat(book.verify())
        .usingRecursiveComparison()
        .isEqualTo(
            new VerificationReport(
                List.of(),
                Map.of(),
                0,
                0,
                new VerificationReport.Totals(10, 10, Book.base64(book.tree().root()), 3, 7, 3),
                standing(book.tree())));
  }

  @Test
  void anEmptyJournalIsCleanBeforeAndAfterItsFirstCheckpoint() {
    Book unborn = new Book();
    unborn.checkpoints.clear();
    unborn.file = Optional.empty();

    assertThat(unborn.verify().clean()).isTrue();
    assertThat(new Book().verify().clean()).isTrue();
  }

  @Test
  void whatTheOwnerOfTheKeyRewroteIsFoundByACheckpointKeptElsewhere() {
    Book book = Book.of(10, 4, 8);
    ExternalCheckpoint kept =
        new ExternalCheckpoint("vault/4", book.checkpoints.get(1).note().getBytes(UTF_8));
    book.edit(4, Columns.PAYLOAD::changed);
    book.mendAllButCheckpoints();
    book.signAgain();

    assertThat(book.verify().clean()).isTrue();
    assertThat(findings(book.verify(kept)))
        .containsExactly(
            new VerificationFinding.ElsewhereMismatch(
                "the checkpoint kept in vault/4", 4, "history up to there was rewritten since"));
  }

  @Test
  void whatTheOwnerOfTheKeyRewroteAfterTheCheckpointKeptElsewhereIsNotFound() {
    Book book = Book.of(10, 4, 8);
    ExternalCheckpoint kept =
        new ExternalCheckpoint("vault/4", book.checkpoints.get(1).note().getBytes(UTF_8));
    book.edit(5, Columns.PAYLOAD::changed);
    book.mendAllButCheckpoints();
    book.signAgain();

    assertThat(book.verify(kept).clean()).isTrue();
  }

  @Test
  void aCheckpointKeptElsewhereThatSomebodyElseSignedProvesNothing() {
    Book book = Book.of(3);
    byte[] foreign = Book.note(book.tree(), Book.FOREIGN_KEY);

    assertThat(findings(book.verify(new ExternalCheckpoint("vault", foreign))))
        .containsExactly(
            new VerificationFinding.KeyUnknown(
                "the checkpoint kept in vault", Long.MAX_VALUE, List.of("EnochRoot+af0cfe78")));
  }

  @Test
  void aCheckpointOfAnotherJournalUnderTheSameKeyCannotBeUsed() {
    Book book = Book.of(3);
    byte[] other = new Checkpoint("other.example", 3, book.tree().root()).signedBy(Book.KEY);
    book.checkpoints.add(Book.stored(2, book.tree(), other));

    assertThat(findings(book.verify()))
        .containsExactly(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint 2 in the database", 3, "it is of another journal, other.example"));
  }

  @Test
  void theFirstDisagreementIsNarrowedToTwoCheckpoints() {
    Book book = Book.of(100, 20, 40, 60, 80);
    book.edit(41, Columns.NAME::changed);
    book.mendAllButCheckpoints();
    book.file = Optional.of(book.checkpoints.get(1).note().getBytes(UTF_8));

    assertThat(findings(book.verify()))
        .containsExactly(
            new VerificationFinding.CheckpointMismatch(
                "checkpoint 4 in the database", 40, 60, 80, 2));
  }

  @Test
  void anAlteredLeafIsToldApartFromAnAlteredEventWhereACheckpointVouchesForIt() {
    Book book = Book.of(10, 5);
    book.edit(5, Columns.LEAF::changed);
    book.edit(6, Columns.LEAF::changed);

    assertThat(findings(book.verify()))
        .containsExactly(
            new VerificationFinding.Altered(5, true), new VerificationFinding.Altered(6, false));
  }

  @Test
  void anEventWrittenTwiceIsFoundEvenWhenBothAreSigned() {
    Book book = Book.of(6);
    book.edit(5, entry -> book.sealed(Columns.ID.set(entry, Columns.bytes(book.at(2).id()))));
    book.mendAllButCheckpoints();
    book.signAgain();

    assertThat(findings(book.verify()))
        .containsExactly(new VerificationFinding.Duplicate(5, 2, "id-2x"));
  }

  @Test
  void anAcceptedMismatchIsToldAndDoesNotFail() {
    Book book = tamperedAndAccepted();

    VerificationReport verificationReport = book.verify();

    Optional<AcceptedMismatch> acceptance =
        Optional.of(
            new AcceptedMismatch(
                11, 10, Book.base64(book.tree(10).root()), "alice", "disk restored by hand"));
    assertThat(verificationReport.clean()).isTrue();
    assertThat(verificationReport.accepted()).isEqualTo(2);
    assertThat(verificationReport.found())
        .containsExactly(
            new VerificationReport.Found(new VerificationFinding.Altered(3, false), acceptance),
            new VerificationReport.Found(
                new VerificationFinding.CheckpointMismatch(
                    "checkpoint 2 in the database", 0, 5, 10, 2),
                acceptance));
    assertThat(verificationReport.totals().newestCheckpointSize()).isEqualTo(11);
  }

  @Test
  void whatIsEditedAfterItWasAcceptedFailsAgain() {
    for (long position = 1; position <= 11; position++) {
      Book book = tamperedAndAccepted();
      book.edit(position, Columns.METADATA::changed);

      assertThat(book.verify().clean()).isFalse();
    }
  }

  @Test
  void anAcceptanceThatNobodyWithTheKeySignedAcceptsNothing() {
    Book book = Book.of(10, 5, 10);
    book.edit(3, Columns.PAYLOAD::changed);
    book.mendAllButCheckpoints();
    book.accept(book.verify().standing().orElseThrow(), "trust me");

    assertThat(book.verify().failing()).isEqualTo(book.verify().found().size()).isPositive();

    book.checkpoint();

    assertThat(book.verify().clean()).isTrue();
  }

  @Test
  void anAcceptanceOfOtherRowsThanTheseAcceptsNothing() {
    Book book = Book.of(10, 5, 10);
    book.edit(3, Columns.PAYLOAD::changed);
    VerificationReport.Standing seen = book.verify().standing().orElseThrow();
    book.edit(4, Columns.PAYLOAD::changed);
    VerificationReport.Standing accepted = book.verify().standing().orElseThrow();
    book.accept(
        new VerificationReport.Standing(seen.size(), seen.root(), accepted.edge()),
        "one event was lost");
    book.checkpoint();

    assertThat(book.verify().accepted()).isEqualTo(0);
  }

  @Test
  void anAcceptanceDoesNotSilenceACheckpointKeptElsewhere() {
    Book book = tamperedAndAccepted();
    ExternalCheckpoint kept =
        new ExternalCheckpoint("vault", book.checkpoints.get(1).note().getBytes(UTF_8));

    assertThat(book.verify(kept).failing()).isEqualTo(1);
  }

  @Test
  void aJournalThatLostItsEndGoesOnBehindEveryPositionItGave() {
    Book book = Book.of(12, 5, 10);
    book.events.subList(8, 12).clear();
    book.index.removeIf(indexed -> indexed.first() > 8);

    VerificationReport.Standing standing = book.verify().standing().orElseThrow();
    book.accept(standing, "power loss");
    book.checkpoint();
    VerificationReport verificationReport = book.verify();

    assertThat(standing.size()).isEqualTo(12);
    assertThat(findings(verificationReport))
        .containsExactly(
            new VerificationFinding.CheckpointMismatch(
                "checkpoint 3 in the database", 5, 10, 10, 1),
            new VerificationFinding.Missing(9, 12));
    assertThat(verificationReport.clean()).isTrue();
    assertThat(verificationReport.totals().lastPosition()).isEqualTo(13);
  }

  @Test
  void findingsBeyondTheLimitAreCountedOnly() {
    Book book = Book.of(20, 10);
    book.events.replaceAll(Columns.VERSION::changed);

    VerificationReport all = book.verify(new VerificationLimits(23, 500, 1_000_000, 100));
    VerificationReport some = book.verify(new VerificationLimits(22, 500, 1_000_000, 100));

    assertThat(all.counts())
        .isEqualTo(Map.of("altered", 20L, "checkpoint-mismatch", 2L, "edge-mismatch", 1L));
    assertThat(all.more()).isEqualTo(0);
    assertThat(some.more()).isEqualTo(1);
    assertThat(some.counts()).isEqualTo(all.counts());
    assertThat(some.failing()).isEqualTo(23);
  }

  @Test
  void rowsBeyondTheLimitOfSuspectsAreToldAsAltered() {
    Book book = Book.of(6);
    book.edit(1, Columns.NAME::changed);
    book.edit(2, _ -> Columns.moved(Book.of(6).at(5), 2));
    book.edit(5, _ -> Columns.moved(Book.of(6).at(2), 5));

    assertThat(findings(book.verify(new VerificationLimits(10, 3, 1_000, 100))))
        .contains(new VerificationFinding.Reordered(2, 5), new VerificationFinding.Reordered(5, 2));
    assertThat(findings(book.verify(new VerificationLimits(10, 2, 1_000, 100))))
        .contains(
            new VerificationFinding.Altered(2, false), new VerificationFinding.Altered(5, false));
    assertThat(findings(book.verify(new VerificationLimits(10, 3, 10, 100))))
        .contains(
            new VerificationFinding.Altered(2, false), new VerificationFinding.Altered(5, false));
  }

  @Test
  void theTreeIsBuiltOverAsManyMissingEventsAsTheLimitAllows() {
    Book book = Book.of(20, 20);
    book.events.subList(4, 14).clear();
    book.index.removeIf(indexed -> indexed.first() > 4 && indexed.first() < 15);

    assertThat(book.verify(new VerificationLimits(10, 10, 1_000, 10)).standing()).isPresent();
    assertThat(book.verify(new VerificationLimits(10, 10, 1_000, 9)).standing()).isEmpty();
    assertThat(findings(book.verify(new VerificationLimits(10, 10, 1_000, 9))))
        .containsExactly(
            new VerificationFinding.Missing(5, 14),
            new VerificationFinding.CheckpointMismatch(
                "checkpoint 2 in the database", 0, 20, 20, 1),
            new VerificationFinding.CheckpointMismatch("the checkpoint file", 0, 20, 20, 1),
            new VerificationFinding.EdgeMismatch(
                20, "too many events are missing to compute the tree"));
  }

  @Test
  void aPayloadThatIsNoAcceptanceIsJustAnEvent() {
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
      Book book = Book.of(2);
      book.append(AcceptedMismatch.EVENT_NAME, "", payload);
      book.checkpoint();

      assertThat(book.verify().clean()).isTrue();
    }
  }

  private static Book tamperedAndAccepted() {
    Book book = Book.of(10, 5, 10);
    book.edit(3, Columns.PAYLOAD::changed);
    book.accept(book.verify().standing().orElseThrow(), "disk restored by hand");
    book.checkpoint();
    book.append(new Random(12));
    return book;
  }

  private static List<VerificationFinding> findings(VerificationReport verificationReport) {
    return verificationReport.found().stream().map(VerificationReport.Found::finding).toList();
  }

  private static Optional<VerificationReport.Standing> standing(RightEdge tree) {
    return Optional.of(
        new VerificationReport.Standing(tree.size(), Book.base64(tree.root()), tree.bytes()));
  }
}
