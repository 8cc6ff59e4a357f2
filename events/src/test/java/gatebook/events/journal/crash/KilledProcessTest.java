package gatebook.events.journal.crash;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed with SIGKILL again and again on the same data directory. */
class KilledProcessTest {
  private static final int ONE_KILLED_WHILE_OPENING_IN = 6;
  private static final long OPENING_MILLIS_MAX = 1_200;
  private static final int APPENDS_MAX = 600;
  private static final long MOMENT_NANOS_MAX = 5_000_000;

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
