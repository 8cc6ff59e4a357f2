package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power is lost again and again: of what was not forced the disk keeps all, nothing, or some
 * pieces in any order, and the next journal starts from that.
 */
class LostPowerTest {
  private static final int APPENDS_MAX = 600;

  private final SplittableRandom random = Proof.random("lost power");
  private final Ledger ledger = new Ledger();
  private final Ledger.Reading reading = ledger.reading();

  @TempDir Path directory;

  @Test
  void everyAcknowledgedAppendSurvivesALossOfPower() throws IOException {
    int losses = Proof.rounds(10, 200);
    Path at = Files.createDirectory(directory.resolve("0"));
    for (int loss = 1; loss <= losses; loss++) {
      Path next = Files.createDirectory(directory.resolve(Integer.toString(loss)));
      losePowerUnderLoad(at, next);
      remove(at); // each is a copy of everything so far
      at = next;
    }
    Place place = Place.inSegments(at);
    try (Journal journal = Journals.opened(place.settings())) {
      ledger.check(journal, place.settings());
      System.err.printf("lost power: %d times, %s, %d events%n", losses, ledger, journal.head());
    }
  }

  private void losePowerUnderLoad(Path at, Path next) throws IOException {
    List<ReportedResult> results = new ArrayList<>();
    FaultyDisk faultyDisk = new FaultyDisk(at.resolve("journal"));
    Place place = Place.inSegments(at, faultyDisk);
    Place after = Place.inSegments(next);
    try (FaultyDisk disk = faultyDisk;
        Journal journal = Journals.opened(place.settings())) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      Row.forEach(journal, reading.position(), reading::row);
      reading.end(StoredEdge.of(place.location()));

      try (Callers callers =
          Callers.start(journal, random.nextLong(), result -> add(results, result))) {
        int enough = 1 + random.nextInt(APPENDS_MAX);
        await().pollInterval(Duration.ofMillis(1)).until(() -> stored(results) >= enough);
        // in this order: every result reported so far must be on the disk after the loss
        Files.copy(place.settings().keyFile(), after.settings().keyFile());
        copyIfThere(place.settings().checkpointFile(), after.settings().checkpointFile());
        synchronized (results) {
          results.forEach(ledger::add);
        }
        disk.losePower(next.resolve("journal"), random);
        callers.stop();
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (Files.isDirectory(file)) {
          remove(file);
        } else {
          Files.delete(file);
        }
      }
    }
    Files.delete(directory);
  }

  private static void add(List<ReportedResult> results, ReportedResult result) {
    synchronized (results) {
      results.add(result);
    }
  }

  private static int stored(List<ReportedResult> results) {
    synchronized (results) {
      return (int) results.stream().filter(ReportedResult.Stored.class::isInstance).count();
    }
  }

  private static void copyIfThere(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      Files.copy(from, to);
    }
  }
}
