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
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed with SIGKILL while they drop events, which go to an archive meanwhile. */
class KilledDropTest {
  private static final int APPENDS_MAX = 600;
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

  /** Every leaf is as it was signed, and exactly the events are gone that an event drops. */
  private static void check(Journal journal) {
    checkTree(journal);
    long through = journal.droppedThrough().map(DroppedThrough::position).orElse(0L);
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
