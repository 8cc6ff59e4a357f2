package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Requires;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A full disk: a real file system in the process's own namespace that runs out of space under load.
 *
 * <p>A few small appends may still be stored on a full disk, in space that the segment already has;
 * the same promise holds for them.
 */
@Order(1)
class FullDiskTest {
  private static final String DISK_SIZE = "512m";

  @TempDir Path directory;

  @Test
  void aFullDiskLosesNoAppendAndTheJournalRecovers() {
    List<String> onSmallDisk = Requires.disk(directory, DISK_SIZE);
    SplittableRandom random = Proof.random("full disk");
    Ledger ledger = new Ledger();
    Ledger.Reading reading = ledger.reading();

    try (Child child = Child.start(onSmallDisk, Place.inSegments(directory), ledger::add)) {
      assertThat(child.opened()).isEqualTo("Writable[]");
      for (int time = 0; time < Proof.rounds(2, 10); time++) {
        child.send("load", Long.toString(random.nextLong()));
        child.done("load");
        awaitStored(ledger, 200);
        fillDisk(child, ledger);

        child.send("free");
        child.done("free");
        awaitStored(ledger, 200);
        child.send("quiet");
        assertThat(child.done("quiet")).isEqualTo("Writable[]");
        child.read(reading);
      }
    }
    System.err.printf("full disk: %s%n", ledger);
  }

  /** Recovery may free a little space, which is filled at once. */
  private static void fillDisk(Child child, Ledger ledger) {
    int enough = ledger.appendsUnavailable() + 400;
    await()
        .until(() -> {
          child.send("fill");
          child.done("fill");
          return ledger.appendsUnavailable() > enough;
        });
  }

  private static void awaitStored(Ledger ledger, int more) {
    int enough = ledger.appendsStored() + more;
    await().until(() -> ledger.appendsStored() > enough);
  }
}
