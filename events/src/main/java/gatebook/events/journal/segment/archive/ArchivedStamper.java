package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.FileState;
import gatebook.events.journal.segment.stamp.SegmentFileWatch;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.segment.stamp.StampFile;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stamps archived segments again whose stamps settle nothing, as those by a key that was replaced.
 * As on the disk, a segment is stamped when it was read: what the old key signed is not believed.
 * The new stamp is in the mark, beside the journal; the archive stays as it is.
 *
 * <p>It belongs to one thread. A process that is killed begins again with the segment that it read.
 */
final class ArchivedStamper {
  private static final Logger log = LoggerFactory.getLogger(ArchivedStamper.class);

  /** How many segments are fetched at most before others are moved. */
  private static final int FETCHED_MAX = 16;

  /** Rests four times as long as it works. */
  private static final int REST_FACTOR = 4;

  private final SegmentFiles files;
  private final SegmentRetention retention;
  private final SegmentFileWatch watch;
  private final CheckpointKeys keys;
  private final BackgroundPace pace;

  /** The first positions of the segments that need not be looked at again for a key. */
  private final Set<Long> seen = new HashSet<>();

  private @Nullable VerifierKey seenFor;

  ArchivedStamper(SegmentMove move, SegmentRetention retention, BackgroundPace pace) {
    this.files = move.files();
    this.watch = move.watch();
    this.keys = move.keys();
    this.retention = retention;
    this.pace = pace;
  }

  /** Stamps some of the segments that need it, the oldest first. */
  void stamp(List<Segment> all) throws IOException {
    VerifierKey key = keys.verifier();
    if (seenFor == null || !seenFor.isSameKey(key)) {
      seen.clear();
      seenFor = key;
    }
    long stamped = 0;
    try (FetchedSegments fetched =
        new FetchedSegments(retention, () -> Optional.of(files.directory()))) {
      int left = FETCHED_MAX;
      for (int i = 0; i < all.size() - 1 && left > 0 && !pace.isClosed(); i++) {
        long first = all.get(i).first();
        if (files.isArchived(first) && seen.add(first)) {
          Result result = stamp(first, all.get(i + 1).first() - 1, key, fetched);
          left -= result.isRead() ? 1 : 0;
          stamped += result.isStamped() ? 1 : 0;
        }
      }
    }
    if (stamped > 0) {
      log.atInfo()
          .addKeyValue("segments", stamped)
          .addKeyValue("key", key.label())
          .log("archived segments of the journal were stamped again");
    }
  }

  private record Result(boolean isRead, boolean isStamped) {}

  /** An archive that cannot be used fails; a segment that cannot be read is told, and stays. */
  private Result stamp(long first, long last, VerifierKey key, FetchedSegments fetched)
      throws IOException {
    try {
      ArchivedMark mark = files.mark(first);
      return switch (new StampFile(files, first, files.archivedMark(first))
          .open(mark, List.of(key))) {
        case Opening.Trusted _ -> new Result(false, false);
        case Opening.OtherTimes(SegmentStamp stamp) -> {
          Optional<SegmentStamp> ofIndex = withIndex(stamp);
          yield ofIndex.isPresent()
              ? new Result(false, write(mark, ofIndex.get()))
              : new Result(true, read(mark, first, last, fetched));
        }
        case Opening.Refused _ -> new Result(true, read(mark, first, last, fetched));
      };
    } catch (ArchiveFailure e) {
      seen.remove(first);
      throw e;
    } catch (IOException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("file", files.archivedMark(first))
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("an archived segment of the journal cannot be read, and gets no stamp");
      return new Result(true, false);
    }
  }

  /** The index of a copied journal has other times; empty when it is not the one of the stamp. */
  private Optional<SegmentStamp> withIndex(SegmentStamp stamp) throws IOException {
    Path index = files.index(stamp.settled().first());
    FileState state = FileState.of(index);
    byte[] sha256 = FileState.digest(index, () -> {});
    return Arrays.equals(sha256, stamp.indexFile().sha256())
        ? Optional.of(
            new SegmentStamp(
                stamp.origin(),
                stamp.segment(),
                stamp.settled(),
                stamp.segmentFile(),
                new StampedFile(state, sha256),
                stamp.at()))
        : Optional.empty();
  }

  private boolean read(ArchivedMark mark, long first, long last, FetchedSegments fetched)
      throws IOException {
    fetched.requireInArchive(mark);
    pace.begin(REST_FACTOR);
    SegmentFiles anew =
        new SegmentFiles(files.directory(), new ReadHandles(), new FilterMemory(), fetched);
    Optional<SegmentStamp> stamp;
    try (ReadHandles _ = anew.handles()) {
      stamp =
          SegmentStamper.stampArchived(anew, mark, keys, pace)
              .filter(it -> it.settled().first() == first && it.settled().last() == last);
    }
    if (stamp.isEmpty() && !pace.isClosed()) {
      log.atWarn()
          .addKeyValue("file", files.archivedMark(first))
          .log(
              "an archived segment is not as it was written, and gets no stamp: verify the"
                  + " journal");
    }
    return stamp.isPresent() && write(mark, stamp.get());
  }

  /** Replaces the mark that was read, unless the segment was dropped or marked anew meanwhile. */
  private boolean write(ArchivedMark read, SegmentStamp stamp) throws IOException {
    long first = stamp.settled().first();
    boolean[] isWritten = {false};
    watch.replace(
        first,
        () -> {
          if (files.isArchived(first) && files.mark(first).hasBytesOf(read)) {
            ArchivedMark.write(files, first, stamp.signedBy(keys.signing()));
            isWritten[0] = true;
          }
        });
    return isWritten[0];
  }
}
