package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The archive of the segments of one journal, opened when it is first used. */
final class SegmentArchive implements AutoCloseable {
  private static final String FOLDER = "segments/";

  private final Optional<SegmentRetention.Archive> configured;
  private @Nullable ArchiveTarget opened;

  SegmentArchive(Optional<SegmentRetention.Archive> configured) {
    this.configured = configured;
  }

  /** The name of the object that is a file of the journal. */
  static String object(String file) {
    return FOLDER + file;
  }

  synchronized ArchiveTarget target() throws ArchiveFailure {
    ArchiveTarget target = opened;
    if (target == null) {
      target =
          configured
              .orElseThrow(() ->
                  new ArchiveFailure(
                      "its events are in an archive and none is given: name it under"
                          + " 'retention.archive', for verify with --archive"))
              .open();
      opened = target;
    }
    return target;
  }

  @Override
  public synchronized void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }
}
