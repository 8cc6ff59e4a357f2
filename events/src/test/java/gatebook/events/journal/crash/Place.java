package gatebook.events.journal.crash;

import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentDisk;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The place of a journal under test: its settings, as words that a child process can be started
 * with.
 */
record Place(String node, Path directory, JournalSettings.Location location) {
  private static final long MIB = 1 << 20;
  private static final long PARTITION_EVENTS = 500;

  /** The default limits, but with more checkpoints and an earlier end of doubt. */
  private static final JournalLimits LIMITS = limits(1 << 18);

  private static JournalLimits limits(long segmentBytesMax) {
    return new JournalLimits(
        65_536,
        256 * MIB,
        1 << 20,
        4_096,
        16 * MIB,
        65_536,
        64 * MIB,
        400,
        100,
        1_000,
        8,
        segmentBytesMax,
        1 << 14);
  }

  /** In segments below a directory. */
  static Place inSegments(Path directory) {
    return inSegments(directory, SegmentDisk.LOCAL);
  }

  static Place inSegments(Path directory, SegmentDisk disk) {
    // of a file that is renamed or removed this disk does not know what a loss of power leaves
    SegmentLocation location =
        new SegmentLocation(directory.resolve("journal"), disk).with(SegmentCompression.NONE);
    return new Place("node-1", directory, location);
  }

  /** In segments that go to an archive as soon as they can, and are read from there. */
  static Place inArchivedSegments(Path directory) {
    return new Place("node-1", directory, archived(directory.resolve("journal")));
  }

  private static SegmentLocation archived(Path segments) {
    return new SegmentLocation(segments)
        .with(SegmentCompression.NONE)
        .with(soon(segments.resolveSibling("archive")));
  }

  private static SegmentRetention soon(Path archive) {
    return new SegmentRetention(
        Optional.of(Duration.ZERO),
        OptionalLong.empty(),
        Duration.ZERO,
        Optional.of(() -> DirectoryTarget.open(archive)),
        Duration.ofMillis(5));
  }

  /** In a database whose partitions go to an archive as soon as they can. */
  static Place inArchivedPartitions(Path directory, SharedLocation database) {
    return new Place("node-1", directory, archived(directory, database));
  }

  private static SharedLocation archived(Path directory, SharedLocation database) {
    return database.withPartitions(PARTITION_EVENTS).with(soon(directory.resolve("archive")));
  }

  JournalSettings settings() {
    return settings(Durability.POWER);
  }

  JournalSettings settings(Durability durability) {
    // all processes on one database share the key, each has its own checkpoint file
    return new JournalSettings(
        location,
        durability,
        node,
        directory.resolve("checkpoint.key"),
        directory.resolve(node + ".checkpoint"),
        isArchived() ? limits(1 << 14) : LIMITS);
  }

  private boolean isArchived() {
    return switch (location) {
      case SegmentLocation segments -> segments.retention().isLimited();
      case SharedLocation shared -> shared.retention().isLimited();
      default -> false;
    };
  }

  Place as(String otherNode) {
    return new Place(otherNode, directory, location);
  }

  List<String> words() {
    return switch (location) {
      case SegmentLocation segments ->
          isArchived()
              ? List.of(node, directory.toString(), segments.directory().toString(), "archived")
              : List.of(node, directory.toString(), segments.directory().toString());
      case SharedLocation shared ->
          isArchived()
              ? List.of(
                  node,
                  directory.toString(),
                  shared.url(),
                  shared.user(),
                  shared.password(),
                  "archived")
              : List.of(node, directory.toString(), shared.url(), shared.user(), shared.password());
      default -> throw new IllegalStateException("no words for " + location);
    };
  }

  static Place of(String[] words) {
    return new Place(words[0], Path.of(words[1]), location(words));
  }

  private static JournalSettings.Location location(String[] words) {
    return switch (words.length) {
      case 3 -> new SegmentLocation(Path.of(words[2]));
      case 4 -> archived(Path.of(words[2]));
      case 6 -> archived(Path.of(words[1]), new SharedLocation(words[2], words[3], words[4]));
      default -> new SharedLocation(words[2], words[3], words[4]);
    };
  }
}
