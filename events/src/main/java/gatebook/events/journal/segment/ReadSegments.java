package gatebook.events.journal.segment;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.segment.SegmentSnapshot.Part;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentReading;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.StampFile;
import gatebook.events.journal.storage.DamagedFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The segments of a snapshot, read for a verification: those that no stamp settles are read,
 * several at a time, and the others are not. Of each only the summary is kept.
 */
record ReadSegments(
    SegmentSnapshot snapshot,
    List<SnapshotPart> parts,
    List<Entry> trustEventList,
    List<JournalSnapshot.Id> idList,
    List<DamagedFile> damagedFiles,
    List<DamagedFile> unreadFiles,
    List<RefusedStamp> refusedStamps)
    implements SnapshotReading {

  /** A segment as a part of the snapshot. */
  private record ReadPart(
      SegmentSnapshot snapshot,
      Part part,
      Optional<SettledRange> settled,
      Optional<Instant> stampedAt,
      boolean isUnread)
      implements SnapshotPart {

    @Override
    public boolean isVisited() {
      return true; // unless a stamp settles them
    }

    @Override
    public RowCursor<Entry> events(long after) {
      return snapshot.events(List.of(part), after);
    }

    @Override
    public RowCursor<IndexedTag> tagIndex() {
      return snapshot.tagIndex(List.of(part));
    }

    @Override
    public Optional<DroppedPart> dropped() {
      return Optional.ofNullable(part.header().dropped())
          .map(it -> new DroppedPart(Instant.parse(it.newestAt()), it.count()));
    }

    @Override
    public RowCursor<DamagedRecord> damagedRecords() {
      return snapshot.damagedRecords(part);
    }

    @Override
    public RowCursor<StoredCheckpoint> checkpoints() {
      return snapshot.checkpoints(List.of(part));
    }
  }

  /** The result for one segment; without a part when it cannot be read. */
  private record Outcome(
      Optional<ReadPart> part,
      List<Entry> trustEvents,
      Optional<RefusedStamp> refusedStamp,
      Optional<DamagedFile> damagedFile) {

    static Outcome of(ReadPart part, List<Entry> trustEvents, Optional<RefusedStamp> refused) {
      return new Outcome(Optional.of(part), trustEvents, refused, Optional.empty());
    }

    static Outcome without(Optional<ReadPart> part, DamagedFile file) {
      return new Outcome(part, List.of(), Optional.empty(), Optional.of(file));
    }

    boolean isUnread() {
      return part.isPresent() && part.get().isUnread();
    }
  }

  static ReadSegments read(SegmentSnapshot snapshot, SegmentFiles files, Order order)
      throws IOException {
    try (DuplicateIds duplicateIds = new DuplicateIds()) {
      List<Outcome> outcomes =
          run(
              snapshot.parts().stream()
                  .<Callable<Outcome>>map(
                      part -> () -> new PartReader(snapshot, files, order, duplicateIds).read(part))
                  .toList(),
              threads(snapshot, order));
      Set<Long> duplicates = duplicateIds.duplicates();
      return new ReadSegments(
          snapshot,
          outcomes.stream().<SnapshotPart>flatMap(it -> it.part().stream()).toList(),
          outcomes.stream().flatMap(it -> it.trustEvents().stream()).toList(),
          duplicates.isEmpty() ? List.of() : idsOf(snapshot, outcomes, duplicates),
          Stream.concat(
                  snapshot.damagedFiles().stream(),
                  outcomes.stream()
                      .filter(it -> !it.isUnread())
                      .flatMap(it -> it.damagedFile().stream()))
              .toList(),
          outcomes.stream()
              .filter(Outcome::isUnread)
              .flatMap(it -> it.damagedFile().stream())
              .toList(),
          outcomes.stream().flatMap(it -> it.refusedStamp().stream()).toList());
    }
  }

  /** What is kept of a segment while it is read takes less memory than the segment on its disk. */
  private static int threads(SegmentSnapshot snapshot, Order order) {
    long longest = snapshot.parts().stream().mapToLong(Part::end).max().orElse(1);
    long fitting = Runtime.getRuntime().maxMemory() / 2 / Math.max(1, longest);
    return (int) Math.max(1, Math.min(order.threads(), fitting));
  }

  private static List<JournalSnapshot.Id> idsOf(
      SegmentSnapshot snapshot, List<Outcome> outcomes, Set<Long> hashes) {
    List<Part> read =
        outcomes.stream()
            .flatMap(it -> it.part().stream())
            .filter(it -> it.stampedAt().isEmpty() && !it.isUnread())
            .map(ReadPart::part)
            .toList();
    try (RowCursor<JournalSnapshot.Id> ids = snapshot.ids(read)) {
      return DuplicateIds.find(hashes, ids);
    }
  }

  /** Runs the tasks, so many at a time; the results are in their order. */
  private static <T> List<T> run(List<Callable<T>> tasks, int threads) throws IOException {
    List<T> results = new ArrayList<>(tasks.size());
    try (ExecutorService executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("journal-reader-", 0).factory())) {
      try {
        for (Future<T> future : executor.invokeAll(tasks)) {
          results.add(future.get());
        }
      } catch (InterruptedException e) {
        executor.shutdownNow();
        Thread.currentThread().interrupt();
        throw new IOException("the reading was interrupted", e);
      } catch (ExecutionException e) {
        throw failure(e);
      }
    }
    return results;
  }

  private static IOException failure(ExecutionException thrown) {
    if (thrown.getCause() instanceof RuntimeException e) {
      throw e;
    }
    return thrown.getCause() instanceof IOException e ? e : new IOException(thrown);
  }

  @Override
  public RowCursor<Entry> trustEvents() {
    return new ListCursor<>(trustEventList);
  }

  @Override
  public Optional<Entry> tagged(Tag tag) {
    return snapshot.tagged(parts.stream().map(it -> ((ReadPart) it).part()).toList(), tag);
  }

  @Override
  public RowCursor<JournalSnapshot.Id> ids() {
    return new ListCursor<>(idList);
  }

  /** Reads one segment, unless its stamp settles it. */
  private record PartReader(
      SegmentSnapshot snapshot, SegmentFiles files, Order order, DuplicateIds duplicateIds) {

    Outcome read(Part part) {
      try {
        return readOrFail(part);
      } catch (ArchiveFailure e) {
        return Outcome.without(unread(part), snapshot.damaged(part, e));
      } catch (IOException e) {
        return Outcome.without(Optional.empty(), snapshot.damaged(part, e));
      }
    }

    /** The tree goes on by the mark, whoever signed it: a later checkpoint tells if it is wrong. */
    private Optional<ReadPart> unread(Part part) {
      long first = part.segment().first();
      try {
        return SegmentStamp.unverified(files.mark(first).stamp())
            .map(SegmentStamp::settled)
            .filter(it -> it.first() == first)
            .map(it -> new ReadPart(snapshot, part, Optional.of(it), Optional.empty(), true));
      } catch (IOException _) {
        return Optional.empty();
      }
    }

    private Outcome readOrFail(Part collected) throws IOException {
      Part part = snapshot.current(collected);
      StampFile stampFile = StampFile.of(files, part.segment().first());
      Optional<Opening> stamp =
          part.isActive() ? Optional.empty() : stampFile.open(order.trusted());
      if (order.usesStamps()
          && stamp.orElse(null) instanceof Opening.Trusted(SegmentStamp trusted)) {
        return Outcome.of(
            new ReadPart(
                snapshot, part, Optional.of(trusted.settled()), Optional.of(trusted.at()), false),
            List.of(),
            Optional.empty());
      }
      SegmentReading.Result result = result(part);
      duplicateIds.add(result.idHashes());
      return Outcome.of(
          new ReadPart(snapshot, part, result.settled(), Optional.empty(), false),
          result.trustEvents(),
          stamp.isEmpty() || (part.header().dropped() != null && isTrusted(stamp.get()))
              ? Optional
                  .empty() // leaves alone settle nothing, and are compared with what is signed
              : refusal(stampFile, stamp.get(), result)
                  .map(why -> new RefusedStamp(StampFile.name(stampFile.file()), why)));
    }

    private static boolean isTrusted(Opening opening) {
      return opening instanceof Opening.Trusted;
    }

    /** Why a stamp settles nothing; empty when it could have settled what was read all the same. */
    private static Optional<String> refusal(
        StampFile stampFile, Opening opening, SegmentReading.Result result) throws IOException {
      return switch (opening) {
        case Opening.Refused(String why) -> Optional.of(why);
        case Opening.OtherTimes(SegmentStamp stamp) -> stampFile.refusal(stamp);
        case Opening.Trusted(SegmentStamp stamp) ->
            result.unsigned().filter(stamp.settled()::hasSameTree).isPresent()
                ? Optional.empty()
                : Optional.of("the segment is not what was stamped, although its times are");
      };
    }

    private SegmentReading.Result result(Part part) throws IOException {
      return part.isActive()
          ? SegmentReading.ofActive(files, part.segment(), part.end(), order.visitor())
          : SegmentReading.ofSealed(
              files,
              part.segment(),
              part.end(),
              KeyHistory.of(order.trusted()),
              Optional.empty(), // the pass looks for what says that events are dropped
              Thread.currentThread()::isInterrupted,
              order.visitor());
    }
  }
}
