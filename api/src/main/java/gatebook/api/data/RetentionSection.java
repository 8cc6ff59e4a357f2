package gatebook.api.data;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.archive.ArchiveLock;
import gatebook.events.journal.segment.archive.SegmentRetention;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The section {@code retention} of the configuration file: how long events stay in the journal, and
 * where they go then.
 *
 * @param days the age of events that go; empty when they stay however old they are
 * @param bytes of the journal's files; while there are more, the oldest events go
 * @param belowFloor whether also events go that are younger than the floor
 * @param contentDays for how many days content can be read; empty when its keys are kept
 * @param lock on what is stored in the archive
 * @param drop empty when no event is dropped for good
 */
public record RetentionSection(
    OptionalInt days,
    OptionalLong bytes,
    boolean belowFloor,
    OptionalInt contentDays,
    Optional<ArchiveAddress> archive,
    Optional<ArchiveLock> lock,
    Optional<DropLimits> drop) {

  /**
   * When events are dropped for good.
   *
   * @param days the age of events that go; empty when they stay however old they are
   * @param bytes of the journal's files, those in the archive included; while there are more, the
   *     oldest events go
   * @param floor the least age of events that go
   */
  public record DropLimits(OptionalInt days, OptionalLong bytes, Duration floor) {}

  /** Everything stays. */
  public static final RetentionSection KEEP_ALL =
      new RetentionSection(
          OptionalInt.empty(),
          OptionalLong.empty(),
          false,
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Whether events go at all, to the archive or for good. */
  public boolean isLimited() {
    return days.isPresent() || bytes.isPresent() || drop.isPresent();
  }

  /** The retention of segments. The archive is opened when it is first used. */
  SegmentRetention ofSegments() {
    return new SegmentRetention(
        days.isPresent() ? Optional.of(Duration.ofDays(days.getAsInt())) : Optional.empty(),
        bytes,
        belowFloor ? Duration.ZERO : SegmentRetention.FLOOR,
        archive.map(address -> () -> address.open(lock)));
  }
}
