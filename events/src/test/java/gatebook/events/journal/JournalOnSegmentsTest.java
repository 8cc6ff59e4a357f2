package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.StallingDisk;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JournalOnSegmentsTest extends JournalContract {
  private final StallingDisk disk = new StallingDisk();

  @Override
  JournalSettings fresh(Path directory) {
    return Journals.settings(directory, new SegmentLocation(directory.resolve("journal"), disk));
  }

  @Override
  SegmentEditor editor() {
    return new SegmentEditor(directory.resolve("journal"));
  }

  @Override
  void whileWriterIsBlocked(Runnable appends) {
    CompletableFuture<Append> first;
    try (StallingDisk.Stall _ = disk.stall()) {
      first = blockWriter();
      await().until(disk::isStalling);
      appends.run();
    }
    first.join();
  }

  @Test
  void aJournalThatIsOpenIsNotOpenedAgain() {
    assertThat(Journal.open(settings))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the journal %s cannot be opened: the journal is written by somebody else in this process"
                    .formatted(directory.resolve("journal"))));
  }

  @Test
  void aMissingDirectoryIsRefused() {
    Path nowhere = directory.resolve("nowhere");

    assertThat(Journal.open(Journals.inSegments(nowhere)))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the checkpoint key %s cannot be used: its directory does not exist"
                    .formatted(nowhere.resolve("checkpoint.key"))));
  }
}
