package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.Append;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.verification.VerificationReport.PositionRange;
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
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verification covers the events of partitions that are in the archive only. */
@Order(1)
final class ArchivedPartitionsTest {
  private static final int PARTITION = 50;
  private static final int ARCHIVED = 3 * PARTITION;
  private static final VerificationScope UNSTAMPED = new VerificationScope(false, 1);
  private static final VerificationScope EVERYTHING = new VerificationScope(true, 2);

  @TempDir private Path directory;
  private JournalSettings settings;
  private VerifierKey key;
  private VerificationReport before;
  private byte[] oldCheckpoint;

  @BeforeEach
  void archive() throws IOException {
    SharedLocation location = Journals.freshSchema().withPartitions(PARTITION);
    SegmentRetention retention =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> DirectoryTarget.open(directory.resolve("archive"))),
            Duration.ofMillis(20));
    settings = Journals.withCheckpoints(Journals.settings(directory, location), 7, 600_000);
    try (Journal journal = Journals.opened(settings)) {
      key = journal.verifier();
      append(journal, 20);
      oldCheckpoint = Files.readAllBytes(settings.checkpointFile());
      append(journal, ARCHIVED / 3 - 10);
      append(journal, 100);
    }
    before = verify(EVERYTHING);
    settings = Journals.at(location.with(retention), settings);
    try (Journal _ = Journals.opened(settings)) {
      await().until(() -> number("SELECT MIN(first) FROM journal_partition") == ARCHIVED + 1);
    }
  }

  /** Three events with a tag in each append, so that lines cross the ends of partitions. */
  private static void append(Journal journal, int events) {
    for (int i = 0; i < events; i += 3) {
      Tag call = new Tag("call", "c" + journal.head());
      await()
          .until(() ->
              Journals.append(
                      journal,
                      Journals.draft("{}", call),
                      Journals.draft("{}", call),
                      Journals.draft("{}", call))
                  instanceof Append.Stored);
    }
  }

  private VerificationReport verify(VerificationScope scope, ExternalCheckpoint... against) {
    try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
      return new Verification(List.of(key), VerificationLimits.DEFAULT)
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
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }

  @Test
  void stampsSettleWhatIsArchived() {
    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.clean()).isTrue();
    assertThat(report.totals()).isEqualTo(before.totals());
    assertThat(report.basis().stamped()).containsExactly(new PositionRange(1, ARCHIVED));
    assertThat(report.basis().refusedStamps()).isEmpty();
    assertThat(verify(EVERYTHING)).usingRecursiveComparison().isEqualTo(before);
  }

  @Test
  void aNewKeySignsStampsAgainAfterReading() throws SQLException {
    execute("UPDATE journal_archive SET newest_at = '2000' WHERE first = 51");
    try (Journal journal = Journals.opened(settings)) {
      journal.checkpointKeyRotation().rotate(ArchivedPartitionsTest::rotated);
      key =
          ((CheckpointKeyRotation.Outcome.Rotated)
                  journal.checkpointKeyRotation().rotate(ArchivedPartitionsTest::rotated))
              .newKey();
      await().until(() -> verify(UNSTAMPED).basis().stamps() == 2);
    }
    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.clean()).isTrue();
    assertThat(report.basis().stamped())
        .containsExactly(new PositionRange(1, 50), new PositionRange(101, ARCHIVED));
    assertThat(report.basis().refusedStamps()).hasSize(1);
  }

  private static DraftEvent rotated(VerifierKey oldKey, VerifierKey newKey) {
    return new EventVocabulary()
        .draft(new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()), Instant.now());
  }

  @Test
  void withoutTheArchiveTheRestIsVerified() {
    settings =
        Journals.at(
            ((SharedLocation) settings.location()).with(SegmentRetention.KEEP_ALL), settings);

    VerificationReport report = verify(UNSTAMPED);
    assertThat(findings(report))
        .hasSize(3)
        .hasOnlyElementsOfType(VerificationFinding.NotRead.class);
    assertThat(report.totals()).isEqualTo(before.totals());
  }

  @Test
  void aCheckpointKeptElsewhereIsComparedWithArchivedEvents() {
    assertThat(verify(UNSTAMPED, new ExternalCheckpoint("vault", oldCheckpoint)).clean()).isTrue();
  }

  @Test
  void anEditedLeafIsFound() throws SQLException {
    execute(
        "UPDATE journal_archive SET leaves = set_byte(leaves, 32 * 9, 255 - get_byte(leaves, 32 *"
            + " 9)) WHERE first = 51");

    assertThat(findings(verify(UNSTAMPED))).contains(new VerificationFinding.Altered(60, true));
  }

  @Test
  void anEditOfTheTagIndexIsFound() throws SQLException {
    execute("DELETE FROM journal_tag WHERE position <= 100 AND last > 100");

    assertThat(findings(verify(UNSTAMPED)))
        .extracting(Object::getClass)
        .containsOnly(VerificationFinding.IndexMismatch.class);

    execute("INSERT INTO journal_tag (tag, position, last) VALUES ('call:new', 70, 70)");
    assertThat(findings(verify(UNSTAMPED)))
        .contains(new VerificationFinding.IndexMismatch(70, "call:new", true));
  }

  @Test
  void aRemovedMarkIsFound() throws SQLException {
    execute("DELETE FROM journal_archive WHERE first = 51");

    assertThat(findings(verify(UNSTAMPED))).contains(new VerificationFinding.Missing(51, 100));
  }

  @Test
  void anEditedMarkOrNoteSettlesNothing() throws SQLException {
    execute("UPDATE journal_archive SET newest_at = '2000' WHERE first = 1");
    execute("UPDATE journal_archive SET mark = set_byte(mark, 9, 77) WHERE first = 51");
    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.basis().refusedStamps()).hasSize(1);
    assertThat(findings(report)).contains(new VerificationFinding.Missing(51, 100));
  }

  @Test
  void anArchiveThatIsMissingOrChangedIsFound() throws IOException {
    Path object;
    try (Stream<Path> objects = Files.list(directory.resolve("archive/segments"))) {
      object =
          objects
              .filter(it -> it.getFileName().toString().startsWith("0000000000000000051-"))
              .filter(it -> it.toString().endsWith(".segment.z"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length - 1] ^= 1;
    Files.write(object, bytes);

    assertThat(verify(UNSTAMPED).clean()).isTrue();
    assertThat(findings(verify(EVERYTHING))).contains(new VerificationFinding.Missing(51, 100));
    Files.delete(object);
    assertThat(findings(verify(UNSTAMPED))).contains(new VerificationFinding.Missing(51, 100));
  }
}
