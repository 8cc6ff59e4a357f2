package gatebook.events.journal.segment;

import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;
import java.nio.file.Path;

/**
 * The location of a journal in segments, which one process has for itself.
 *
 * @param directory of the segments
 * @param disk writes them
 * @param compression of sealed segments
 * @param retention of sealed segments
 */
public record SegmentLocation(
    Path directory, SegmentDisk disk, SegmentCompression compression, SegmentRetention retention)
    implements JournalSettings.Location {
  public SegmentLocation(Path directory) {
    this(directory, SegmentDisk.LOCAL);
  }

  public SegmentLocation(Path directory, SegmentDisk disk) {
    this(directory, disk, SegmentCompression.DEFLATE, SegmentRetention.KEEP_ALL);
  }

  /** The same location, with another compression. */
  public SegmentLocation with(SegmentCompression other) {
    return new SegmentLocation(directory, disk, other, retention);
  }

  /** The same location, with another retention. */
  public SegmentLocation with(SegmentRetention other) {
    return new SegmentLocation(directory, disk, compression, other);
  }

  @Override
  public JournalStorage storage(Durability durability, JournalLimits limits) {
    return new SegmentStorage(this, durability, limits);
  }
}
