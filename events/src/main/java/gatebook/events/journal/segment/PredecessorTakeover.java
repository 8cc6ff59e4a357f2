package gatebook.events.journal.segment;

import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalStorage;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.StorageWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes over the predecessor of segments at the first start, whose files are renamed at the end.
 *
 * <p>A file beside the segments says that they are not complete. Each segment is forced when it is
 * sealed. So a takeover that was broken off goes on after the last sealed segment.
 */
final class PredecessorTakeover {
  private static final String MARK = "taking-over";

  private final SegmentStorage storage;
  private final SegmentLocation location;
  private final Predecessor predecessor;
  private final Path mark;

  PredecessorTakeover(SegmentStorage storage, SegmentLocation location, Predecessor predecessor) {
    this.storage = storage;
    this.location = location;
    this.predecessor = predecessor;
    this.mark = storage.files().directory().resolve(MARK);
  }

  void run() throws IOException, OpenRefusal, StorageFailure {
    if (predecessor.exists()) {
      begin();
      copy();
      forceAll();
    }
    if (Files.exists(mark)) {
      predecessor.retire();
      Files.delete(mark);
      storage.files().forceDirectory();
    }
  }

  private void begin() throws IOException, OpenRefusal {
    List<Long> firsts = storage.files().firsts();
    if (!Files.exists(mark)) {
      if (!firsts.isEmpty()) {
        throw new OpenRefusal(
            "there are two journals, %s and %s: move away the one that is not to be used"
                .formatted(predecessor.describe(), storage.describe()));
      }
      Files.createFile(mark);
      storage.files().forceDirectory();
    } else if (!firsts.isEmpty()) {
      storage.files().delete(firsts.getLast());
    }
  }

  private void copy() throws OpenRefusal, StorageFailure {
    SegmentLocation target = new SegmentLocation(location.directory(), location.disk());
    try (PredecessorJournal from = predecessor.open();
        JournalStorage to = target.storage(Durability.PROCESS, storage.limits())) {
      to.open();
      try (StorageWriter writer = to.writer()) {
        Takeover.run(predecessor.describe(), from, writer);
      }
    }
  }

  private void forceAll() throws IOException {
    for (long first : storage.files().firsts()) {
      try (SegmentDisk.WrittenFile file = storage.disk().open(storage.files().segment(first))) {
        file.force();
      }
    }
    storage.files().forceDirectory();
  }
}
