package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed with SIGKILL while they drop events, which go to an archive meanwhile. */
class KilledDropTest {
  private static final int APPENDS_MAX = 600;
  private static final int NODES = 2;
  private static final long MOMENT_NANOS_MAX = 100_000_000;

  private final SplittableRandom random = Proof.random("killed drops");
  private final Ledger ledger = new Ledger();

  @TempDir Path directory;

  @Test
  void eventsGoOnlyAsACoveredEventSays() {
    killAgainAndAgain(Place.inArchivedSegments(directory));
  }

  /** Partitions are copied, detached and removed meanwhile, before they are dropped or after. */
  @Test
  void rowsGoOnlyAsACoveredEventSays() {
    killAgainAndAgain(Place.inArchivedPartitions(directory, Journals.freshSchema()));
  }

  private void killAgainAndAgain(Place place) {
    int kills = Proof.rounds(4, 50);

    for (int kill = 0; kill < kills; kill++) {
      try (Child child = Child.start(place, ledger::add)) {
        assertThat(child.opened()).isEqualTo("Writable[]");
        int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
        child.send("load", Long.toString(random.nextLong()));
        child.send("drop");
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
        if (kill % 2 == 1) {
          child.dropped(); // on a busy machine, one killed at any moment may never come so far
        }
        child.endedWithin(random.nextLong(MOMENT_NANOS_MAX));
      }
      try (Journal journal = Journals.opened(place.settings())) {
        assertThat(journal.state()).isEqualTo(new JournalState.Writable());
        if (journal.isShared()) {
          await().until(() -> TestDrops.keepingEachTenth(journal).finishBegun().isEmpty());
        }
        check(journal);
      }
    }

    try (Journal journal = Journals.opened(place.settings())) {
      EventDrops drops = TestDrops.keepingEachTenth(journal);
      await().until(drops::finishBegun, Optional.empty()::equals);
      await().until(drops::removeArchived, Optional.empty()::equals);
      check(journal);
      assertThat(journal.droppedThrough()).isPresent();
      System.err.printf(
          "killed drops: %d kills, dropped through %d of %d events%n",
          kills, journal.droppedThrough().orElseThrow().position(), journal.head());
    }
  }

  /**
   * Nodes of one database drop and move the same partitions, one rotates the key, some are killed,
   * and copies of the database are taken meanwhile.
   */
  @Test
  void nodesOfOneDatabaseDropAndMoveAtOnce() throws SQLException {
    SharedLocation database = Journals.freshSchema();
    Place place = Place.inArchivedPartitions(directory, database);
    int kills = Proof.rounds(2, 50);
    List<Child> children = new ArrayList<>();
    try (Journal journal = Journals.opened(place.as("reader").settings());
        Connection administrator = Journals.administrator(database)) {
      for (int started = 1; started <= NODES; started++) {
        children.add(dropping(place.as("node-" + started)));
      }
      for (int kill = 1; kill <= kills; kill++) {
        int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
        Child killed = children.remove(random.nextInt(NODES));
        if (kill % 2 == 1) {
          killed.send("rotate");
          killed.send("rotate");
          long before = droppedThrough(journal);
          await().until(() -> droppedThrough(journal) > before);
        }
        checkCopy(administrator);
        killed.close();
        checkTree(journal);
        children.add(dropping(place.as("node-" + (NODES + kill))));
      }
      for (Child child : children) {
        child.send("quiet");
        child.quiet();
      }
      children.forEach(Child::close);

      EventDrops drops = TestDrops.keepingEachTenth(journal);
      await().until(drops::finishBegun, Optional.empty()::equals);
      await().until(drops::removeArchived, Optional.empty()::equals);
      check(journal);
      ledger.checkLeft(journal);
      checkCopy(administrator);
      assertThat(deadlocks(administrator)).isZero();
      System.err.printf(
          "nodes that drop: %d kills, %s, dropped through %d of %d events%n",
          kills, ledger, journal.droppedThrough().orElseThrow().position(), journal.head());
    } finally {
      children.forEach(Child::close);
    }
  }

  private static long droppedThrough(Journal journal) {
    return journal.droppedThrough().map(DroppedThrough::position).orElse(0L);
  }

  private Child dropping(Place place) {
    Child child = Child.start(place, ledger::add);
    assertThat(child.opened()).isEqualTo("Writable[]");
    child.send("load", Long.toString(random.nextLong()));
    child.send("drop");
    return child;
  }

  /** A copy has each event once at least, or it is in the archive, or its leaf is there. */
  private static void checkCopy(Connection administrator) throws SQLException {
    administrator.setAutoCommit(false);
    administrator.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = administrator.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT (SELECT size FROM journal_edge),
                  (SELECT count(*) FROM
                    (SELECT position FROM journal
                      UNION SELECT generate_series(first, last) FROM journal_archive
                      UNION SELECT position FROM journal_kept) AS one_of_them),
                  (SELECT count(*) FROM journal_archive
                    WHERE length(leaves) <> 32 * (last - first + 1)),
                  (SELECT count(*) FROM journal_archive a JOIN journal_archive b
                    ON a.first < b.first AND b.first <= a.last)\
                """)) {
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(2)).as("positions").isEqualTo(row.getLong(1));
      assertThat(row.getLong(3)).as("ranges without their leaves").isZero();
      assertThat(row.getLong(4)).as("ranges that overlap").isZero();
    } finally {
      administrator.rollback();
    }
  }

  private static long deadlocks(Connection administrator) throws SQLException {
    try (Statement statement = administrator.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }

  /** Every leaf is as it was signed, and exactly the events are gone that an event drops. */
  private static void check(Journal journal) {
    checkTree(journal);
    long through = droppedThrough(journal);
    LeafHasher hasher = new LeafHasher();
    long position = 1;
    while (position <= through) {
      RecordedDrop drop = drop(journal, position).orElseThrow();
      assertThat(journal.isCovered(drop.position())).isTrue();
      assertThat(journal.find(null, drop.from() - 1, drop.to(), Integer.MAX_VALUE))
          .allSatisfy(it -> assertThat(hasher.leaf(it)).isEqualTo(it.leaf()))
          .extracting(Entry::position)
          .hasSize(drop.kept().size())
          .allMatch(drop.kept()::contains);
      position = drop.to() + 1;
    }
    assertThat(position).isEqualTo(through + 1);
    assertThat(journal.find(null, through, journal.head(), Integer.MAX_VALUE))
        .hasSize((int) (journal.head() - through));
  }

  private static Optional<RecordedDrop> drop(Journal journal, long from) {
    return journal
        .find(EventCriteria.havingTags(RecordedDrop.tag(from)), 0, journal.head(), 10)
        .stream()
        .flatMap(it -> RecordedDrop.of(it).stream())
        .findFirst();
  }

  private static void checkTree(Journal journal) {
    RightEdge tree = new RightEdge();
    try (JournalSnapshot snapshot = journal.snapshot();
        RowCursor<StoredCheckpoint> checkpoints = snapshot.checkpoints()) {
      for (StoredCheckpoint it = checkpoints.next(); it != null; it = checkpoints.next()) {
        long after = tree.size();
        journal.leaves(after, it.size()).forEach(tree::append);
        assertThat(tree.bytes())
            .as("leaves after %d up to %d, %s", after, it.size(), journal.droppedThrough())
            .isEqualTo(it.hashes());
      }
    }
  }
}
