package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The retention of segments: how long they stay on the disk of the journal, and where they go then.
 *
 * @param age of the newest event of a segment that goes; empty when segments stay however old
 * @param bytesMax of all files of the journal; while there are more, the oldest segments go
 * @param floor the age that the newest event of a segment has at least before it goes
 * @param archive empty when none is configured
 * @param every how often is looked for segments that go
 */
public record SegmentRetention(
    Optional<Duration> age,
    OptionalLong bytesMax,
    Duration floor,
    Optional<Archive> archive,
    Duration every) {
  /** The least age of what goes, unless another one is configured. */
  public static final Duration FLOOR = Duration.ofDays(180);

  private static final Duration EVERY = Duration.ofMinutes(1);

  /** Everything stays. */
  public static final SegmentRetention KEEP_ALL =
      new SegmentRetention(Optional.empty(), OptionalLong.empty(), FLOOR, Optional.empty());

  public SegmentRetention(
      Optional<Duration> age, OptionalLong bytesMax, Duration floor, Optional<Archive> archive) {
    this(age, bytesMax, floor, archive, EVERY);
  }

  /** The same retention, with this archive. */
  public SegmentRetention with(Archive other) {
    return new SegmentRetention(age, bytesMax, floor, Optional.of(other), every);
  }

  /** An archive that is opened when it is first used. */
  @FunctionalInterface
  public interface Archive {
    ArchiveTarget open() throws ArchiveFailure;
  }

  /** Whether segments go at all. */
  public boolean isLimited() {
    return age.isPresent() || bytesMax.isPresent();
  }
}
