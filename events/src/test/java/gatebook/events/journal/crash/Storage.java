package gatebook.events.journal.crash;

import gatebook.events.journal.JournalSettings.Location;
import gatebook.events.journal.h2.EmbeddedLocation;
import gatebook.events.journal.segment.SegmentLocation;
import java.nio.file.Path;

/** The storages that one machine can have, on a real disk or a faulty one. */
enum Storage {
  H2 {
    @Override
    Location at(Path journal) {
      return new EmbeddedLocation(journal);
    }

    @Override
    FaultyDisk faultyDisk(Path journal) {
      return FaultyDisk.underDatabase(journal);
    }

    @Override
    Location on(FaultyDisk disk, Path journal) {
      return new EmbeddedLocation(journal, FaultyDisk.FILE_SYSTEM);
    }
  },
  SEGMENTS {
    @Override
    Location at(Path journal) {
      return new SegmentLocation(journal);
    }

    @Override
    FaultyDisk faultyDisk(Path journal) {
      return FaultyDisk.ofDirectory(journal);
    }

    @Override
    Location on(FaultyDisk disk, Path journal) {
      return new SegmentLocation(journal, disk);
    }
  };

  abstract Location at(Path journal);

  abstract FaultyDisk faultyDisk(Path journal);

  abstract Location on(FaultyDisk disk, Path journal);

  /** The place of a journal in a directory on a real disk. */
  Place place(Path directory) {
    return new Place("node-1", directory, at(directory.resolve("journal")));
  }

  Place place(Path directory, FaultyDisk disk) {
    return new Place("node-1", directory, on(disk, directory.resolve("journal")));
  }
}
