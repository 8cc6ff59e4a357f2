package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.RecordedRotation;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed with SIGKILL again and again on the same data directory. */
class KilledProcessTest {
  private static final int ONE_KILLED_WHILE_OPENING_IN = 6;
  private static final long OPENING_MILLIS_MAX = 1_200;
  private static final int APPENDS_MAX = 600;
  private static final long MOMENT_NANOS_MAX = 5_000_000;
  private static final long ROTATION_NANOS_MAX = 1_500_000_000;

  private final SplittableRandom random = Proof.random("killed processes");
  private final Ledger ledger = new Ledger();
  private final Ledger.Reading reading = ledger.reading();

  @TempDir Path directory;

  @Test
  void everyAcknowledgedAppendSurvivesEveryKillWholeAtItsPositions() {
    killAgainAndAgain(Place.inSegments(directory), Proof.rounds(4, 200));
  }

  /** Kills also while segments are stamped, compressed and moved, and while they are fetched. */
  @Test
  void nothingIsLostWhileSegmentsAreMovedToTheArchive() throws IOException {
    killAgainAndAgain(Place.inArchivedSegments(directory), Proof.rounds(4, 50));

    try (Stream<Path> objects = Files.list(directory.resolve("archive/segments"))) {
      assertThat(objects).isNotEmpty();
    }
  }

  /** Kills also while partitions are copied, detached and dropped. */
  @Test
  void nothingIsLostWhilePartitionsAreMovedToTheArchive() throws IOException {
    killAgainAndAgain(
        Place.inArchivedPartitions(directory, Journals.freshSchema()), Proof.rounds(4, 50));

    try (Stream<Path> objects = Files.list(directory.resolve("archive/segments"))) {
      assertThat(objects).isNotEmpty();
    }
  }

  private void killAgainAndAgain(Place place, int kills) {

    for (int kill = 0; kill < kills; kill++) {
      if (kill > 0 && random.nextInt(ONE_KILLED_WHILE_OPENING_IN) == 0) {
        killWhileOpening(place);
      } else {
        checkThenKillUnderLoad(place);
      }
    }

    try (Journal journal = Journals.opened(place.settings())) {
      ledger.check(journal, place.settings());
      System.err.printf(
          "killed processes: %d kills, %s, %d events stored%n", kills, ledger, journal.head());
    }
  }

  /** Each key that ever signed was handed the trust of the one before. */
  @Test
  void aRotationIsWholeOrNotThereAfterEveryKill() {
    Place place = Place.inSegments(directory);
    int kills = Proof.rounds(4, 50);
    VerifierKey first;
    try (Journal journal = Journals.opened(place.settings())) {
      first = journal.verifier();
    }

    for (int kill = 0; kill < kills; kill++) {
      try (Child child = Child.start(place, ledger::add)) {
        assertThat(child.opened()).isEqualTo("Writable[]");
        child.send("load", Long.toString(random.nextLong()));
        child.send("rotate");
        child.send("rotate");
        child.endedWithin(random.nextLong(ROTATION_NANOS_MAX));
      }
    }

    try (Journal journal = Journals.opened(place.settings())) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      KeyHistory keys = KeyHistory.of(List.of(first), rotations(journal));
      if (!keys.rotations().isEmpty()) {
        assertThat(keys.rotations().getLast().newKey()).isEqualTo(journal.verifier());
      }
      Set<KeyRotation> introduced = new HashSet<>();
      try (JournalSnapshot snapshot = journal.snapshot();
          RowCursor<StoredCheckpoint> checkpoints = snapshot.checkpoints()) {
        for (StoredCheckpoint it = checkpoints.next(); it != null; it = checkpoints.next()) {
          byte[] note = it.note().getBytes(UTF_8);
          assertThat(keys.open(note)).isInstanceOf(OpenedNote.Valid.class);
          keys.rotationBefore(it.size())
              .filter(rotation -> rotation.isSignedBy(note))
              .ifPresent(introduced::add);
        }
      }
      assertThat(introduced).hasSameSizeAs(keys.rotations());
      System.err.printf("rotations: %d kills, %d rotations%n", kills, introduced.size());
    }
  }

  private static List<KeyRotation> rotations(Journal journal) {
    return journal
        .find(EventCriteria.havingTags(RecordedRotation.TAG), 0, journal.head(), 1_000)
        .stream()
        .flatMap(entry -> RecordedRotation.of(entry).stream())
        .toList();
  }

  private void killWhileOpening(Place place) {
    try (Child child = Child.start(place, ledger::add)) {
      child.endedWithin(MILLISECONDS.toNanos(random.nextLong(OPENING_MILLIS_MAX)));
    }
  }

  private void checkThenKillUnderLoad(Place place) {
    try (Child child = Child.start(place, ledger::add)) {
      assertThat(child.opened()).isEqualTo("Writable[]");
      child.read(reading);
      int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
      child.send("load", Long.toString(random.nextLong()));
      await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
      child.endedWithin(random.nextLong(MOMENT_NANOS_MAX));
    }
  }
}
