package gatebook.events.journal.segment.archive;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.archive.ArchivedStamper.Result;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The stamps of archived segments in their marks, beside the journal.
 *
 * @param all segments of the journal
 * @param fetched takes those that are read
 */
record MarkedStamps(
    List<Segment> all,
    SegmentFiles files,
    FetchedSegments fetched,
    SegmentFileWatch watch,
    CheckpointKeys keys,
    BackgroundPace pace)
    implements ArchivedStamper.Stamps<IOException> {

  @Override
  public List<Long> firsts() {
    return all.subList(0, Math.max(0, all.size() - 1)).stream()
        .map(Segment::first)
        .filter(files::isArchived)
        .toList();
  }

  @Override
  public Result stamp(long first) throws IOException {
    ArchivedMark mark = files.mark(first);
    return switch (new StampFile(files, first, files.archivedMark(first))
        .open(mark, List.of(keys.verifier()))) {
      case Opening.Trusted _ -> Result.CURRENT;
      case Opening.OtherTimes(SegmentStamp stamp) -> {
        Optional<SegmentStamp> ofIndex = withIndex(stamp);
        yield ofIndex.isPresent() ? write(mark, ofIndex.get()) : read(mark, first);
      }
      case Opening.Refused _ -> read(mark, first);
    };
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

  private Result read(ArchivedMark mark, long first) throws IOException {
    fetched.requireInArchive(mark);
    SegmentFiles anew =
        new SegmentFiles(files.directory(), new ReadHandles(), new FilterMemory(), fetched);
    Optional<SegmentStamp> stamp;
    try (ReadHandles _ = anew.handles()) {
      stamp =
          SegmentStamper.stampArchived(anew, mark, keys, pace)
              .filter(it -> it.settled().first() == first && it.settled().last() == last(first));
    }
    return stamp.isEmpty() ? Result.REFUSED : write(mark, stamp.get());
  }

  /** Where the segment ends, as the next one says. */
  private long last(long first) {
    return IntStream.range(0, all.size() - 1)
        .filter(i -> all.get(i).first() == first)
        .mapToLong(i -> all.get(i + 1).first() - 1)
        .findFirst()
        .orElseThrow();
  }

  /** Replaces the mark that was read, unless the segment was dropped or marked anew meanwhile. */
  private Result write(ArchivedMark read, SegmentStamp stamp) throws IOException {
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
    return isWritten[0] ? Result.STAMPED : Result.REPLACED;
  }
}
