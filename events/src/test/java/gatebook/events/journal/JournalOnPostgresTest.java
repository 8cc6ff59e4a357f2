package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unstorable;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JournalOnPostgresTest extends JournalContract {
  private final SharedLocation database = Journals.freshSchema();

  @Override
  JournalSettings fresh(Path directory) {
    return Journals.settings(directory, database);
  }

  private SharedLocation location() {
    return (SharedLocation) settings.location();
  }

  @Override
  RowEditor editor() {
    return new RowEditor(location());
  }

  @Test
  void anEventTheDatabaseRefusesFailsOnlyItsOwnCaller() {
    editor().execute("ALTER TABLE journal ADD CONSTRAINT no_poison CHECK (name <> 'test.Poison')");
    List<CompletableFuture<Append>> good = new ArrayList<>();
    List<CompletableFuture<Append>> poisoned = new ArrayList<>();
    whileWriterIsBlocked(() -> {
      for (int i = 0; i < 20; i++) {
        good.add(journal.append(ConflictCondition.none(), List.of(Journals.draft("good"))));
        if (i % 7 == 3) {
          poisoned.add(
              journal.append(ConflictCondition.none(), List.of(Journals.draft("good"), poison())));
        }
      }
    });

    assertThat(good).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Stored.class));
    assertThat(poisoned)
        .hasSize(3)
        .allSatisfy(it ->
            assertThat(it.join())
                .isEqualTo(new Unstorable("the journal does not take this event")));
    assertThat(allPositions()).isEqualTo(LongStream.rangeClosed(1, 21).boxed().toList());
    assertThat(Journals.append(journal, Journals.draft("after"))).isEqualTo(new Stored(22, 22));
  }

  private static DraftEvent poison() {
    DraftEvent draftEvent = Journals.draft("poison");
    return new DraftEvent(
        draftEvent.id(),
        "test.Poison",
        draftEvent.version(),
        draftEvent.at(),
        draftEvent.tags(),
        draftEvent.tagsText(),
        draftEvent.payload(),
        draftEvent.metadata(),
        null);
  }

  @Test
  void aNewerSchemaIsRefused() {
    editor().execute("INSERT INTO journal_schema (version, installed_at) VALUES (5, 'later')");
    close();

    assertThat(Journal.open(settings))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the schema of the database %s has format 5 and this version knows 4: use a newer gatebook"
                    .formatted(settings.storage().describe())));
    editor().execute("DELETE FROM journal_schema WHERE version = 5");
    journal = Journals.opened(settings);
  }

  @Test
  void aJournalOfAnOlderSchemaBecomesTheFirstPartition() {
    for (int i = 0; i < 5; i++) {
      Journals.append(journal, Journals.draft("e" + i, new Tag("call", "1")));
    }
    List<Entry> before = journal.find(null, 0, 9, 9);
    close();
    toSchema2();
    for (int killedAfter = 0; killedAfter < 2; killedAfter++) {
      if (killedAfter == 1) { // what the first step of an upgrade leaves
        editor().execute("CREATE TABLE journal_partition (first BIGINT PRIMARY KEY, last BIGINT)");
        editor().execute("INSERT INTO journal_partition VALUES (1, 1000)");
        editor()
            .execute(
                "ALTER TABLE journal ADD CONSTRAINT journal_range CHECK (position < 1001) NOT"
                    + " VALID");
      }
      journal = Journals.opened(settings);

      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(journal.find(null, 0, 9, 9)).usingRecursiveComparison().isEqualTo(before);
      Journals.append(journal, Journals.draft("next"));
      before = journal.find(null, 0, 9, 9);
      close();
      toSchema2();
    }
    journal = Journals.opened(settings);
  }

  private void toSchema2() {
    editor().execute("ALTER TABLE journal DETACH PARTITION journal_p1");
    editor().execute("DROP TABLE journal, journal_archive, journal_partition, journal_kept");
    editor().execute("ALTER TABLE journal_p1 RENAME TO journal");
    editor().execute("DROP INDEX journal_checkpoint_size");
    editor().execute("DELETE FROM journal_schema WHERE version > 2");
  }

  @Test
  void partitionsAreMadeAheadOfAppends() throws IOException {
    JournalSettings small = withSmallPartitions();
    try (Journal of = Journals.opened(small)) {
      for (int i = 0; i < 12; i++) {
        DraftEvent[] drafts =
            Stream.generate(() -> Journals.draft("x")).limit(1 + i % 5).toArray(DraftEvent[]::new);
        assertThat(Journals.append(of, drafts)).isInstanceOf(Stored.class);
        Awaitility.await().until(() -> lastOfPartitions(small) >= of.head() + 5);
      }
      assertThat(of.find(null, 0, 99, 99)).hasSize(33);
      assertThat(of.bytes()).isPositive();
    }
  }

  /** It makes the partition that is missing, and its callers are told that nothing was stored. */
  @Test
  void anAppendBeyondAllPartitionsIsRefusedOnce() throws IOException {
    JournalSettings small = withSmallPartitions();
    try (Journal of = Journals.opened(small)) {
      DraftEvent[] drafts =
          Stream.generate(() -> Journals.draft("x")).limit(50).toArray(DraftEvent[]::new);

      Append first = Journals.append(of, drafts);

      assertThat(first).isInstanceOf(Append.Unavailable.class);
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(Journals.append(of, drafts)).isEqualTo(new Stored(1, 50)));
    }
  }

  private JournalSettings withSmallPartitions() throws IOException {
    return Journals.settings(
        Files.createDirectory(directory.resolve("small")),
        Journals.freshSchema().withPartitions(10));
  }

  private static long lastOfPartitions(JournalSettings of) throws SQLException {
    try (Connection connection = Journals.administrator((SharedLocation) of.location());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(last) FROM journal_partition")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Holds the lock on the right edge. */
  @Override
  void whileWriterIsBlocked(Runnable appends) {
    try (Connection connection = Journals.administrator(location())) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT size FROM journal_edge WHERE one = 1 FOR UPDATE");
        CompletableFuture<Append> first = blockWriter();
        appends.run();
        connection.rollback();
        first.join();
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void twoProcessesOnOneDatabaseSeeEachOthersEvents() {
    try (Journal other = Journals.opened(settings)) {
      for (int i = 0; i < 20; i++) {
        Journal turn = i % 2 == 0 ? journal : other;
        assertThat(Journals.append(turn, Journals.draft("e" + i)))
            .isEqualTo(new Stored(i + 1, i + 1));
      }
      Awaitility.await().until(() -> journal.head() == 20 && other.head() == 20);
      assertThat(journal.read(0, 100)).usingRecursiveComparison().isEqualTo(other.read(0, 100));
    }
  }

  @Test
  void eventsOfAnotherProcessConflictToo() {
    Tag call = new Tag("call", "1");
    try (Journal other = Journals.opened(settings)) {
      Journals.append(journal, Journals.draft("warm up"));
      Journals.append(other, Journals.draft("first", call));

      assertThat(
              journal
                  .append(
                      ConflictCondition.nothingAfter(1, EventCriteria.havingTags(call)),
                      List.of(Journals.draft("second", call)))
                  .join())
          .isInstanceOf(Append.Conflict.class);
    }
  }

  @Test
  void whatConflictsIsReadBeforeTheConflictIsReported() {
    Tag call = new Tag("call", "1");
    ConflictCondition nothingElse =
        ConflictCondition.nothingAfter(0, EventCriteria.havingTags(call));
    try (Journal other = Journals.opened(settings)) {
      for (int i = 1; i <= 20; i++) {
        Journals.append(other, Journals.draft("first", call));

        assertThat(journal.append(nothingElse, List.of(Journals.draft("second", call))).join())
            .isInstanceOf(Append.Conflict.class);
        assertThat(journal.head()).isEqualTo(i);
      }
    }
  }

  @Test
  void aStartThatWaitsForAnotherNodeIsLogged() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(SlowOperation.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    log.addAppender(logged);
    log.setLevel(Level.INFO);
    try (Connection node = Journals.administrator(location())) {
      node.setAutoCommit(false);
      node.createStatement().execute("SELECT size FROM journal_edge WHERE one = 1 FOR UPDATE");
      CompletableFuture<Journal> opening =
          CompletableFuture.supplyAsync(() -> Journals.opened(settings));
      Awaitility.await()
          .until(() ->
              List.copyOf(logged.list).stream()
                  .anyMatch(it ->
                      it.getMessage().equals("waiting until no other node writes to the journal")));
      node.rollback();
      opening.join().close();
    } finally {
      log.detachAppender(logged);
    }
  }

  @Test
  void aDatabaseWithoutSynchronousCommitIsRefused() {
    SharedLocation safe = location();
    JournalSettings unsafe =
        Journals.settings(
            directory,
            new SharedLocation(
                safe.url() + "&options=-c%20synchronous_commit=off", safe.user(), safe.password()));

    assertThat(Journal.open(unsafe))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                ("the database %s has synchronous_commit switched off: what it confirms may be"
                        + " lost, switch it on")
                    .formatted(unsafe.storage().describe())));
  }
}
