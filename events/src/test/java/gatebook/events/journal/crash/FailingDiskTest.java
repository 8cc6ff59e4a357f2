package gatebook.events.journal.crash;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.Append.InDoubt;
import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unavailable;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A failing disk below the journal of one machine refuses to write or to force. */
@Timeout(300)
class FailingDiskTest {
  private static final JournalState WRITABLE = new JournalState.Writable();

  @TempDir Path directory;
  private Place place;
  private FaultyDisk disk;
  private Journal journal;

  @BeforeEach
  void open() {
    disk = new FaultyDisk(directory.resolve("journal"));
    place = Place.inSegments(directory, disk);
    journal = Journals.opened(place.settings());
  }

  @AfterEach
  void close() {
    disk.heal();
    journal.close();
    disk.close();
  }

  @Test
  void anAppendCompletesOnlyAfterItsForce() {
    CompletableFuture<Append> result;
    try (FaultyDisk.Stall _ = disk.stallForces()) {
      result = journal.append(ConflictCondition.none(), List.of(draft("a")));
      awaitStalledForce();

      assertThat(result).isNotDone();
      assertThat(journal.head()).isZero();
    }
    assertThat(result.join()).isEqualTo(new Stored(1, 1));
  }

  @Test
  void eachBatchIsForcedOnce() {
    int before = disk.forces();
    for (int i = 1; i <= 10; i++) {
      assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(Stored.class);
      assertThat(disk.forces()).isGreaterThanOrEqualTo(before + i);
    }
  }

  @Test
  void withProcessDurabilityNothingIsForced() {
    journal.close();
    journal = Journals.opened(place.settings(Durability.PROCESS));
    int before = disk.forces();

    for (int i = 0; i < 10; i++) {
      assertThat(append(journal, draft("a"))).isInstanceOf(Stored.class);
    }

    assertThat(disk.forces()).isEqualTo(before);
  }

  @Test
  void anAppendWhoseForceFailedIsInDoubt() {
    append(journal, draft("before"));
    disk.failForces();

    assertThat(append(journal, draft("lost or not"))).isInstanceOf(InDoubt.class);
    assertThat(journal.state()).isInstanceOf(JournalState.Unavailable.class);
    assertThat(append(journal, draft("refused"))).isInstanceOf(Unavailable.class);

    disk.heal();
    await().until(journal::state, WRITABLE::equals);
    Stored after = (Stored) append(journal, draft("after"));
    assertThat(payloads(0)).startsWith("before").endsWith("after").doesNotContain("refused");
    assertThat(payloads(0)).hasSize((int) after.last());
  }

  @Test
  void aConflictIsInDoubtWhenItsForceFailed() {
    Tag call = new Tag("call", "1");
    CompletableFuture<Append> first;
    CompletableFuture<Append> second;
    FaultyDisk.Stall stall = disk.stallForces();
    CompletableFuture<Append> before =
        journal.append(ConflictCondition.none(), List.of(draft("before")));
    awaitStalledForce();
    first = journal.append(never(call), List.of(draft("first", call)));
    second = journal.append(never(call), List.of(draft("second", call)));
    disk.failForcesAfter(1);
    stall.close();

    assertThat(before.join()).isInstanceOf(Stored.class);
    assertThat(first.join()).isInstanceOf(InDoubt.class);
    assertThat(second.join()).isInstanceOf(InDoubt.class);
  }

  @Test
  void eventsOfAFailedForceAreShownWithoutAnotherAppend() {
    AtomicLong seen = new AtomicLong();
    Runnable stopFollowing = journal.follow(() -> seen.set(journal.head()));
    append(journal, draft("before"));
    disk.failForces();
    append(journal, draft("lost or not"));
    disk.heal();
    await().until(journal::state, WRITABLE::equals);

    long stored = StoredEdge.of(place.location()).size();
    await().until(() -> seen.get() == stored);
    stopFollowing.run();
  }

  @Test
  void afterAFailedWriteTheJournalRecovers() {
    append(journal, draft("before"));
    disk.failWrites();

    assertThat(append(journal, draft("failed"))).isInstanceOfAny(InDoubt.class, Unavailable.class);
    assertThat(append(journal, draft("refused"))).isInstanceOf(Unavailable.class);

    disk.heal();
    await().until(journal::state, WRITABLE::equals);
    assertThat(append(journal, draft("after"))).isInstanceOf(Stored.class);
    assertThat(payloads(0)).startsWith("before").endsWith("after").doesNotContain("refused");
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // 200 failures at full length take a minute
  void diskFailuresUnderLoadLoseNoAcknowledgedAppend() {
    SplittableRandom random = Proof.random("failing disk");
    Ledger ledger = new Ledger();
    int failures = Proof.rounds(10, 200);
    try (Callers callers = Callers.start(journal, random.nextLong(), ledger::add)) {
      for (int i = 0; i < failures; i++) {
        int enough = ledger.appendsStored() + random.nextInt(500);
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() > enough);
        if (random.nextBoolean()) {
          disk.failForces();
        } else {
          disk.failWrites();
        }
        await()
            .pollInterval(Duration.ofMillis(1))
            .until(() -> journal.state() instanceof JournalState.Unavailable);
        disk.heal();
        await().until(journal::state, WRITABLE::equals);
      }
      callers.stop();
      assertThat(callers.slowestMillis()).isLessThan(120_000);
    }
    ledger.check(journal, place.settings());
    System.err.printf("failing disk: %d failures, %s%n", failures, ledger);
  }

  private void awaitStalledForce() {
    await().until(() -> disk.isStalling());
  }

  private static ConflictCondition never(Tag tag) {
    return ConflictCondition.nothingAfter(0, EventCriteria.havingTags(tag));
  }

  private List<String> payloads(long after) {
    return journal.find(null, after, Long.MAX_VALUE, 1_000).stream()
        .map(entry -> new String(entry.payload(), UTF_8))
        .toList();
  }
}
