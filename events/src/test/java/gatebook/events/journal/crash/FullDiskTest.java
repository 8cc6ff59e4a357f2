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
 * A real file system of its own that runs out of room under load, seen by one process only.
 *
 * <p>A few small appends may still be stored on a full disk, in room that the database's file
 * already has; they are held to the same promise as all others.
 */
@Order(1)
class FullDiskTest {
  private static final String DISK_SIZE = "512m";

  @TempDir Path directory;

  @Test
  void aFullDiskRefusesAppendsAndLosesNoneAndWithRoomTheJournalWorksAgain() {
    List<String> onSmallDisk =
        List.of(
            "unshare",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=%s tmpfs \"$0\" && exec \"$@\"".formatted(DISK_SIZE),
            directory.toString());
    Requires.mounts(onSmallDisk);
    SplittableRandom random = Proof.random("full disk");
    Ledger ledger = new Ledger();
    Ledger.Reading reading = ledger.reading();

    try (Child child = Child.start(onSmallDisk, Place.embedded(directory), ledger::heard)) {
      assertThat(child.opened()).isEqualTo("Writable[]");
      for (int time = 0; time < Proof.rounds(2, 10); time++) {
        child.say("load", Long.toString(random.nextLong()));
        child.done("load");
        awaitStored(ledger, 200);
        fillDisk(child, ledger);

        child.say("free");
        child.done("free");
        awaitStored(ledger, 200);
        child.say("quiet");
        assertThat(child.done("quiet")).isEqualTo("Writable[]");
        child.read(reading);
      }
    }
    System.err.printf("full disk: %s%n", ledger);
  }

  /** Coming back may make a little room, which is taken at once. */
  private static void fillDisk(Child child, Ledger ledger) {
    int enough = ledger.appendsUnavailable() + 400;
    await()
        .until(() -> {
          child.say("fill");
          child.done("fill");
          return ledger.appendsUnavailable() > enough;
        });
  }

  private static void awaitStored(Ledger ledger, int more) {
    int enough = ledger.appendsStored() + more;
    await().until(() -> ledger.appendsStored() > enough);
  }
}
