package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.Append;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.drop.DropPlan;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.PositionSet;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verification lets leaves stand for the rows that an event drops, and for no others. */
@Order(1)
final class DroppedPartitionsTest {
  private static final int EVENTS = 40;
  private static final int PARTITION = 15;
  private static final EventVocabulary VOCABULARY = new EventVocabulary();
  private static final PositionSet KEPT = PositionSet.of(List.of(2L, 14L));
  private static final VerificationScope UNSTAMPED = new VerificationScope(false, 1);
  private static final VerificationScope EVERYTHING = new VerificationScope(true, 2);

  @TempDir private Path directory;
  private JournalSettings settings;
  private Journal journal;
  private byte[] oldCheckpoint;

  @BeforeEach
  void write() throws IOException {
    SharedLocation location = Journals.freshSchema().withPartitions(PARTITION);
    settings = Journals.withCheckpoints(Journals.settings(directory, location), 2, 600_000);
    journal = Journals.opened(settings);
    append(2);
    journal.sign().join();
    await().until(() -> Files.exists(settings.checkpointFile()));
    oldCheckpoint = Files.readAllBytes(settings.checkpointFile());
    append(EVENTS - 2);
    journal.sign().join();
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private void append(int events) {
    for (int i = 0; i < events; i++) {
      Tag call = new Tag("call", "c" + i / 3);
      await()
          .until(
              () -> Journals.append(journal, Journals.draft("{}", call)) instanceof Append.Stored);
    }
  }

  private EventDrops drops() {
    return TestDrops.of(
        journal, (from, _, _) -> new DropPlan(from == 1 ? KEPT : PositionSet.NONE, List.of()));
  }

  private RecordedDrop drop() {
    return TestDrops.dropOldest(drops());
  }

  private VerificationReport verify(VerificationScope scope, ExternalCheckpoint... against) {
    return verify(journal.verifier(), scope, against);
  }

  private VerificationReport verify(
      VerifierKey trusted, VerificationScope scope, ExternalCheckpoint... against) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      return new Verification(List.of(trusted), VerificationLimits.DEFAULT)
          .verify(snapshot, List.of(against), scope);
    }
  }

  private static List<VerificationFinding> findings(VerificationReport report) {
    return report.found().stream().map(VerificationReport.Found::finding).toList();
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = Journals.administrator((SharedLocation) settings.location());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = Journals.administrator((SharedLocation) settings.location());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private void expectClean(RecordedDrop newest, long gone) {
    for (VerificationScope scope : List.of(UNSTAMPED, EVERYTHING)) {
      VerificationReport report = verify(scope, new ExternalCheckpoint("vault/2", oldCheckpoint));
      assertThat(findings(report)).isEmpty();
      assertThat(report.dropped())
          .contains(new VerificationReport.DroppedEvents(newest.to(), newest.newestAt(), gone));
    }
  }

  @Test
  void whatAnEventDroppedIsCleanAndTold() {
    drop();
    RecordedDrop second = drop();

    expectClean(second, second.to() - 2);
  }

  @Test
  void linesOfTheIndexMayOutlastTheDrop() throws Exception {
    execute("CREATE TABLE lines AS SELECT * FROM journal_tag WHERE last <= 15");
    execute("INSERT INTO journal_kept SELECT * FROM journal WHERE position = 2");
    assertThat(findings(verify(EVERYTHING))).as("what a killed node copied").isEmpty();
    OldestRange range = drops().oldest().orElseThrow();
    Journals.append(journal, TestDrops.statement(range, new DropPlan(KEPT, List.of())));
    journal.sign().join();
    CompletableFuture<Optional<EventDrops.Outcome>> finished;
    try (Connection holder = Journals.administrator((SharedLocation) settings.location());
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE journal_tag IN SHARE ROW EXCLUSIVE MODE");
      finished = CompletableFuture.supplyAsync(() -> drops().finishBegun());
      await().until(() -> journal.droppedThrough().isPresent());
      assertThat(findings(verify(EVERYTHING))).isEmpty();
      holder.rollback();
    }
    assertThat(finished.get(60, TimeUnit.SECONDS))
        .get()
        .isInstanceOf(EventDrops.Outcome.Dropped.class);

    assertThat(number("SELECT COUNT(*) FROM journal_tag WHERE last <= 15")).isEqualTo(2);
    assertThat(findings(verify(EVERYTHING))).isEmpty();
    execute("INSERT INTO journal_tag SELECT * FROM lines ON CONFLICT DO NOTHING");
    assertThat(findings(verify(EVERYTHING))).isNotEmpty();
  }

  private void archiveBefore(long position) {
    journal.close();
    SegmentRetention retention =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> DirectoryTarget.open(directory.resolve("archive"))),
            Duration.ofMillis(20));
    journal =
        Journals.opened(
            Journals.at(((SharedLocation) settings.location()).with(retention), settings));
    await().until(() -> number("SELECT MIN(first) FROM journal_partition") == position);
  }

  private CheckpointKeyRotation.Outcome rotate() {
    return journal
        .checkpointKeyRotation()
        .rotate((from, to) ->
            VOCABULARY.draft(
                new CheckpointKeyRotated("alice", from.text(), to.text()), Instant.now()));
  }

  @Test
  void whatChangesTheTrustStaysWhenItsPartitionGoes() throws SQLException {
    VerifierKey oldKey = journal.verifier();
    drop();
    assertThat(rotate()).isInstanceOf(CheckpointKeyRotation.Outcome.Prepared.class);
    assertThat(rotate()).isInstanceOf(CheckpointKeyRotation.Outcome.Rotated.class);
    append(EVENTS - 2);
    journal.sign().join();
    archiveBefore(5 * PARTITION + 1);

    assertThat(number("SELECT COUNT(*) FROM journal_kept WHERE position > 15")).isBetween(2L, 9L);
    for (VerifierKey trusted : List.of(oldKey, journal.verifier())) {
      for (VerificationScope scope : List.of(UNSTAMPED, EVERYTHING)) {
        assertThat(findings(verify(trusted, scope))).isEmpty();
      }
    }
    assertThat(verify(UNSTAMPED).basis().stampedEvents()).isGreaterThan(2 * PARTITION);
    journal.close();
    journal = Journals.opened(settings); // reads no archive
    assertThat(journal.state()).isEqualTo(new JournalState.Writable());
    archiveBefore(5 * PARTITION + 1);
    EventDrops drops = TestDrops.keepingEachTenth(journal);
    RecordedDrop dropped = TestDrops.dropOldest(drops);
    while (dropped.to() < 5 * PARTITION) {
      dropped = TestDrops.dropOldest(drops);
    }
    assertThat(findings(verify(oldKey, EVERYTHING))).isEmpty();
    assertThat(findings(verify(UNSTAMPED))).isEmpty();
  }

  @Test
  void aKeptRowOfArchivedEventsIsNotTrusted() throws SQLException {
    archiveBefore(2 * PARTITION + 1);
    execute(
        "INSERT INTO journal_kept SELECT 20, 'other', 'gatebook.MismatchAccepted', version, at,"
            + " node, tags, payload, metadata, leaf FROM journal WHERE position = 40");

    try (JournalSnapshot snapshot = journal.snapshot();
        RowCursor<Entry> found =
            snapshot
                .read(new SnapshotReading.Order(List.of(journal.verifier()), true, 1))
                .trustEvents()) {
      assertThat(found.next()).isNull();
    }
    assertThat(findings(verify(EVERYTHING)))
        .containsExactly(
            new VerificationFinding.FileDamaged(
                "journal_kept",
                "this table has rows of events that are in the archive",
                20,
                Long.MAX_VALUE));
  }

  @Test
  void archivedEventsThatAnEventDroppedAreCleanAndTold() throws SQLException {
    archiveBefore(2 * PARTITION + 1);
    RecordedDrop dropped = drop();
    expectClean(dropped, dropped.to() - 2);
    try (JournalSnapshot seesTheArchive = journal.snapshot()) {
      drop();
      assertThat(drops().removeArchived()).isEmpty();
      assertThat(
              findings(
                  new Verification(List.of(journal.verifier()), VerificationLimits.DEFAULT)
                      .verify(seesTheArchive, List.of(), EVERYTHING)))
          .isEmpty();
    }
    assertThat(drops().removeArchived()).isEmpty();
    assertThat(number("SELECT COUNT(*) FROM journal_archive WHERE length(mark) > 0")).isZero();
  }

  @Test
  void rowsThatNoEventDroppedAreFound() throws SQLException {
    execute("DELETE FROM journal WHERE position <= 15");
    assertThat(findings(verify(UNSTAMPED))).contains(new VerificationFinding.Missing(1, 15));

    execute(
        "INSERT INTO journal_archive (first, last, newest_at, mark, leaves, note, dropped_from)"
            + " SELECT 1, 15, '2026-01-01T00:00:00Z', '', decode(repeat('00', 480), 'hex'), '', 1");
    assertThat(findings(verify(UNSTAMPED)))
        .contains(
            new VerificationFinding.Dropped(1, 15, "no event says that they are dropped for good"));
  }

  @Test
  void aDroppedRangeWithoutItsLeavesIsFound() throws SQLException {
    drop();
    execute(
        "INSERT INTO journal_archive (first, last, newest_at, mark, leaves, note, dropped_from)"
            + " SELECT 50, 9223372036854775807, '2026-01-01T00:00:00Z', '', '', '', 50");

    assertThat(findings(verify(UNSTAMPED)))
        .containsExactly(
            new VerificationFinding.FileDamaged(
                "dropped events 50 to 9223372036854775807",
                "the row of table journal_archive for events 50 to 9223372036854775807 has not the"
                    + " leaves of these events",
                50,
                Long.MAX_VALUE));
  }

  @Test
  void leavesThatNoEventDroppedAreFound() throws StorageFailure {
    OldestRange range = drops().oldest().orElseThrow();
    dropWithout(range, KEPT);

    assertThat(findings(verify(UNSTAMPED)))
        .contains(
            new VerificationFinding.Dropped(1, 1, "no event says that they are dropped for good"));
  }

  private void dropWithout(OldestRange range, PositionSet kept) throws StorageFailure {
    journal.droppable().orElseThrow().drop(range, kept::contains, kept.size());
  }

  @Test
  void aDropThatNoCheckpointCoversIsFound() throws StorageFailure {
    OldestRange range = drops().oldest().orElseThrow();
    Journals.append(journal, TestDrops.statement(range, new DropPlan(KEPT, List.of())));
    dropWithout(range, KEPT);

    assertThat(findings(verify(UNSTAMPED)))
        .containsExactly(
            new VerificationFinding.Dropped(1, 15, "no checkpoint covers event 41, which says so"));
  }

  @Test
  void aKeptRowThatIsGoneOrAlteredIsFound() throws SQLException {
    drop();
    execute("UPDATE journal_kept SET name = 'test.Other' WHERE position = 2");
    execute("DELETE FROM journal_kept WHERE position = 14");

    assertThat(findings(verify(UNSTAMPED)))
        .contains(
            new VerificationFinding.Dropped(
                14, 14, "they are not those that event 41 drops for good"),
            new VerificationFinding.Altered(2, false));
  }

  @Test
  void anEditedLeafIsFound() throws SQLException {
    drop();
    execute("UPDATE journal_archive SET leaves = set_byte(leaves, 32, 255 - get_byte(leaves, 32))");
    assertThat(findings(verify(UNSTAMPED)))
        .containsExactly(new VerificationFinding.Altered(2, true));

    execute("UPDATE journal_archive SET leaves = set_byte(leaves, 0, 255 - get_byte(leaves, 0))");
    assertThat(verify(UNSTAMPED).counts()).containsKey("dropped");
  }

  @Test
  void anEditedTimeIsFound() throws SQLException {
    drop();
    execute("UPDATE journal_archive SET newest_at = '2026-01-01T00:00:00Z'");

    assertThat(findings(verify(UNSTAMPED)))
        .containsExactly(
            new VerificationFinding.Dropped(
                1, 15, "they have another newest time than event 41 says"));
  }

  @Test
  void aRowInPlaceOfADroppedOneIsFound() throws SQLException {
    drop();
    execute("CREATE TABLE forged PARTITION OF journal FOR VALUES FROM (1) TO (16)");
    execute(
        "INSERT INTO journal SELECT 3, id, name, version, at, node, tags, payload, metadata,"
            + " leaf FROM journal_kept WHERE position = 2");

    assertThat(findings(verify(UNSTAMPED)))
        .contains(
            new VerificationFinding.Dropped(
                3, 3, "they are not those that event 41 drops for good"));
  }
}
