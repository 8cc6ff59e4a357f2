package gatebook.events.journal.h2;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Append;
import gatebook.events.journal.Durability;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovers what a killed process left: a database, and a log ahead of it. */
class H2RecoveryTest {
  private static final List<String> FILES =
      List.of("journal.ahead.db", "checkpoint.key", "checkpoint", "acknowledged");

  @TempDir Path directory;
  private Path left;
  private Path older;
  private Journal journal;

  @BeforeEach
  void leaveEventsInTheLog() throws IOException {
    Path used = Files.createDirectory(directory.resolve("used"));
    left = Files.createDirectory(directory.resolve("left"));
    journal = Journals.opened(Journals.embedded(used));
    Files.copy(used.resolve("journal.mv.db"), left.resolve("journal.mv.db"));
    older = Files.copy(used.resolve("journal.mv.db"), directory.resolve("older"));
    for (String payload : List.of("a", "b", "c")) {
      assertThat(append(journal, draft(payload))).isInstanceOf(Append.Stored.class);
    }
    for (String file : FILES) {
      Files.copy(used.resolve(file), left.resolve(file));
    }
    journal.close();
  }

  @AfterEach
  void close() {
    journal.close();
  }

  /**
   * H2's own thread would read the roots of the tables one after the other while the writer goes
   * on.
   */
  @Test
  void onlyTheWritersThreadWritesPages() throws SQLException {
    H2Database database =
        new H2Database("nio", left.resolve("journal"), Durability.PROCESS, JournalLimits.DEFAULT);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet delay =
            statement.executeQuery(
                "SELECT setting_value FROM information_schema.settings"
                    + " WHERE setting_name = 'WRITE_DELAY'")) {
      assertThat(delay.next()).isTrue();
      assertThat(delay.getString(1)).isEqualTo(String.valueOf(Integer.MAX_VALUE));
    } finally {
      database.close();
    }
  }

  @Test
  void theLogIsRecoveredIntoTheDatabaseOnce() {
    for (int time = 1; time <= 2; time++) {
      journal = Journals.opened(Journals.embedded(left));

      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(payloads()).containsExactly("a", "b", "c");
      journal.close();
      assertThat(left.resolve("journal.ahead.db")).isEmptyFile();
    }
  }

  @Test
  void aSnapshotContainsTheLog() {
    try (JournalSnapshot journalSnapshot = snapshotOf(left);
        RowCursor<Entry> events = journalSnapshot.events()) {
      int count = 0;
      while (events.next() != null) {
        count++;
      }
      assertThat(count).isEqualTo(3);
    }
  }

  @Test
  void withoutTheLogTheDatabaseIsNotTrusted() throws IOException {
    Files.delete(left.resolve("journal.ahead.db"));

    journal = Journals.opened(Journals.embedded(left));

    assertThat(journal.state())
        .isEqualTo(
            new JournalState.Distrusted("3 events were acknowledged and the journal holds 0"));
  }

  @Test
  void aLogIsKeptWhenAnOlderDatabaseOpens() throws IOException {
    Path later = Files.createDirectory(directory.resolve("later"));
    journal = Journals.opened(Journals.embedded(left));
    journal.close(); // all is in its database
    Path right = Files.copy(left.resolve("journal.mv.db"), directory.resolve("right"));
    journal = Journals.opened(Journals.embedded(left));
    append(journal, draft("d"));
    for (String file : FILES) {
      Files.copy(left.resolve(file), later.resolve(file));
    }
    journal.close();

    // an older copy of the database
    Files.copy(older, later.resolve("journal.mv.db"));
    journal = Journals.opened(Journals.embedded(later));
    assertThat(journal.state())
        .isEqualTo(
            new JournalState.Distrusted(
                "the checkpoint file covers 3 events and the journal holds 0"));
    journal.close();

    // and the right one again
    Files.copy(right, later.resolve("journal.mv.db"), StandardCopyOption.REPLACE_EXISTING);
    journal = Journals.opened(Journals.embedded(later));
    assertThat(journal.state()).isEqualTo(new JournalState.Writable());
    assertThat(payloads()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void acceptingAMismatchErasesALogThatDoesNotFit() throws IOException {
    Path log = left.resolve("journal.ahead.db");
    journal = Journals.opened(Journals.embedded(left));
    journal.close();
    journal = Journals.opened(Journals.embedded(left));
    append(journal, draft("d"));
    byte[] laterLog = Files.readAllBytes(log);
    journal.close();
    Files.copy(older, left.resolve("journal.mv.db"), StandardCopyOption.REPLACE_EXISTING);
    Files.write(log, laterLog);

    assertThat(
            MismatchAcceptance.accept(Journals.embedded(left), new RightEdge(), draft("accepted")))
        .isEqualTo(new MismatchAcceptance.Outcome.Accepted(1));

    assertThat(log).isEmptyFile();
    journal = Journals.opened(Journals.embedded(left));
    assertThat(append(journal, draft("e"))).isEqualTo(new Append.Stored(2, 2));
    assertThat(payloads()).containsExactly("accepted", "e");
  }

  @Test
  void aLogIsNotRecoveredIntoAnotherDatabase() throws IOException {
    Files.delete(left.resolve("journal.mv.db"));
    Files.delete(left.resolve("checkpoint"));
    Files.delete(left.resolve("acknowledged"));

    journal = Journals.opened(Journals.embedded(left));

    assertThat(journal.head()).isZero();
    assertThat(append(journal, draft("d"))).isEqualTo(new Append.Stored(1, 1));
    assertThat(payloads()).containsExactly("d");
  }

  @Test
  void aSnapshotLeavesTheLogOfARunningJournal() throws IOException {
    journal = Journals.opened(Journals.embedded(left));
    append(journal, draft("d"));
    byte[] log = Files.readAllBytes(left.resolve("journal.ahead.db"));

    snapshotOf(left).close();

    assertThat(left.resolve("journal.ahead.db")).hasBinaryContent(log);
    assertThat(log).isNotEmpty();
  }

  private static JournalSnapshot snapshotOf(Path data) {
    JournalSnapshot.TakeResult takeResult = JournalSnapshot.take(Journals.embedded(data));
    assertThat(takeResult).isInstanceOf(JournalSnapshot.TakeResult.Taken.class);
    return ((JournalSnapshot.TakeResult.Taken) takeResult).snapshot();
  }

  private List<String> payloads() {
    return journal.read(0, 10).stream().map(entry -> new String(entry.payload(), UTF_8)).toList();
  }
}
