package gatebook.events.journal.postgres;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.segment.ListCursor;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentReading;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.storage.DamagedFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.CompactRange;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * A reading of a journal of which the archive has ranges, or of which some were dropped for good:
 * each of them, and the rows before, between and behind them, are a part.
 *
 * <p>A stamp settles an archived range when the leaves that stayed in the database are those of its
 * subtrees, and its lines of the tag index those that were signed. Ids are compared among rows
 * only.
 */
record RangedReading(
    RowSnapshot snapshot,
    List<SnapshotPart> parts,
    List<DamagedFile> damagedFiles,
    List<DamagedFile> unreadFiles,
    List<RefusedStamp> refusedStamps)
    implements SnapshotReading {
  private static final int PAGE = 1_000;
  private static final int TAGGED_MAX = 16;

  static RangedReading of(
      RowSnapshot snapshot, ArchivedRows archived, List<ArchivedRange> ranges, Order order)
      throws SQLException {
    List<SnapshotPart> parts = new ArrayList<>();
    List<DamagedFile> damaged = new ArrayList<>();
    List<DamagedFile> unread = new ArrayList<>();
    List<RefusedStamp> refused = new ArrayList<>();
    TagLines linesOfRows = new TagLines(snapshot.tagIndex());
    long first = Long.MIN_VALUE;
    try (TagLines lines = new TagLines(snapshot.tagIndex())) {
      PartReader reader = new PartReader(snapshot, archived, order, refused);
      for (ArchivedRange range : whole(ranges, damaged)) {
        if (first < range.first()) {
          parts.add(new RowsPart(snapshot, first, range.first() - 1, linesOfRows));
        }
        first = range.last() + 1;
        if (range.isDropped()) {
          addDropped(range, snapshot, parts);
          continue;
        }
        try {
          parts.add(reader.read(range, list(lines.in(range.first(), range.last()))));
        } catch (ArchiveFailure e) {
          reader.unread(range).ifPresent(parts::add);
          unread.add(file(range, e));
        } catch (IOException e) {
          damaged.add(file(range, e));
        }
      }
    }
    parts.add(new RowsPart(snapshot, first, Long.MAX_VALUE, linesOfRows));
    snapshot.surplusKept().ifPresent(damaged::add);
    return new RangedReading(
        snapshot,
        List.copyOf(parts),
        List.copyOf(damaged),
        List.copyOf(unread),
        List.copyOf(refused));
  }

  private static DamagedFile file(ArchivedRange range, IOException why) {
    return new DamagedFile(
        range.describe(), StorageFailure.describe(why), range.first(), range.last());
  }

  /** Those that are not dropped, or have the leaf of each of their events. */
  private static List<ArchivedRange> whole(List<ArchivedRange> ranges, List<DamagedFile> damaged) {
    List<ArchivedRange> whole = new ArrayList<>();
    for (ArchivedRange range : ranges) {
      try {
        if (range.isDropped()) {
          range.requireLeaves();
        }
        whole.add(range);
      } catch (IOException e) {
        damaged.add(file(range, e));
      }
    }
    return whole;
  }

  /** What was dropped together is a part. */
  private static void addDropped(
      ArchivedRange range, RowSnapshot snapshot, List<SnapshotPart> parts) {
    if (!parts.isEmpty()
        && parts.getLast() instanceof DroppedRowsPart before
        && before.begin().droppedFrom() == range.droppedFrom()
        && before.last() == range.first() - 1) {
      parts.set(parts.size() - 1, new DroppedRowsPart(snapshot, before.begin(), range.last()));
    } else {
      parts.add(new DroppedRowsPart(snapshot, range, range.last()));
    }
  }

  private static List<IndexedTag> list(RowCursor<IndexedTag> cursor) {
    List<IndexedTag> lines = new ArrayList<>();
    for (IndexedTag line = cursor.next(); line != null; line = cursor.next()) {
      lines.add(line);
    }
    return lines;
  }

  /** What changes the trust in a journal stays in rows. */
  @Override
  public RowCursor<Entry> trustEvents() {
    return snapshot.trustEvents();
  }

  @Override
  public Optional<Entry> tagged(Tag tag) {
    return snapshot.tagged(tag, TAGGED_MAX).stream()
        .filter(entry -> entry.tagSet().contains(tag))
        .findFirst();
  }

  @Override
  public RowCursor<JournalSnapshot.Id> ids() {
    return snapshot.ids();
  }

  /** The rows from one position to another. */
  private record RowsPart(RowSnapshot snapshot, long first, long last, TagLines lines)
      implements SnapshotPart {
    @Override
    public RowCursor<Entry> events(long after) {
      return snapshot.rows(first == Long.MIN_VALUE ? first : first - 1, last);
    }

    @Override
    public RowCursor<IndexedTag> tagIndex() {
      return lines.in(first, last);
    }

    @Override
    public RowCursor<StoredCheckpoint> checkpoints() {
      return snapshot.checkpoints(first, last);
    }
  }

  /** A range in the archive. */
  private record ArchivedPart(
      RowSnapshot snapshot,
      ArchivedRows archived,
      ArchivedRange range,
      Optional<SettledRange> settled,
      Optional<Instant> stampedAt,
      boolean isUnread)
      implements SnapshotPart {

    @Override
    public boolean isVisited() {
      return stampedAt.isEmpty();
    }

    @Override
    public RowCursor<Entry> events(long after) {
      return RowSnapshot.pages(range.first() - 1, this::page);
    }

    /** Entries with the leaves that stayed in the database: they must be theirs. */
    private List<Entry> page(long after) throws SQLException, IOException {
      if (after >= range.last()) {
        return List.of();
      }
      List<Entry> entries =
          archived.use(
              range,
              segments ->
                  segments.read(new EntrySelection.Everything(), after, range.last(), PAGE));
      if (entries.isEmpty()) {
        return entries;
      }
      List<byte[]> leaves = snapshot.leaves(after, entries.getLast().position());
      return entries.stream()
          .map(entry -> entry.withLeaf(leaves.get((int) (entry.position() - after - 1))))
          .toList();
    }

    @Override
    public RowCursor<IndexedTag> tagIndex() {
      return snapshot.linesIn(range.first(), range.last());
    }

    @Override
    public RowCursor<StoredCheckpoint> checkpoints() {
      try {
        return new ListCursor<>(archived.use(range, Segments::checkpoints));
      } catch (IOException e) {
        throw RowSnapshot.unreadable(e);
      }
    }
  }

  /** Reads what is archived, unless its stamp settles it. */
  private record PartReader(
      RowSnapshot snapshot, ArchivedRows archived, Order order, List<RefusedStamp> refused) {

    SnapshotPart read(ArchivedRange range, List<IndexedTag> lines)
        throws IOException, SQLException {
      ArchivedMark mark = range.readMark();
      Opening opening = SegmentStamp.open(mark.stamp(), order.trusted());
      Optional<String> refusal = refusal(range, opening, lines);
      refusal.ifPresent(why -> refused.add(new RefusedStamp(range.describe(), why)));
      archived.requireInArchive(range);
      if (order.usesStamps()
          && refusal.isEmpty()
          && opening instanceof Opening.Trusted(SegmentStamp stamp)) {
        return new ArchivedPart(
            snapshot,
            archived,
            range,
            Optional.of(stamp.settled()),
            Optional.of(stamp.at()),
            false);
      }
      // read once, so that what is wrong with the file is told
      SegmentReading.Result read =
          archived.use(
              range,
              segments -> {
                Segment segment = segments.all().getFirst();
                return SegmentReading.ofSealed(
                    archived.files(),
                    segment,
                    mark.bytes(),
                    KeyHistory.of(order.trusted()),
                    Optional.empty(), // what is dropped is not in the archive
                    Thread.currentThread()::isInterrupted,
                    order.visitor());
              });
      return new ArchivedPart(
          snapshot,
          archived,
          range,
          refusal.isEmpty() ? read.settled() : Optional.empty(),
          Optional.empty(),
          false);
    }

    /** The tree goes on by the mark, whoever signed it: a later checkpoint tells if it is wrong. */
    Optional<SnapshotPart> unread(ArchivedRange range) {
      try {
        return Optional.of(
            new ArchivedPart(
                snapshot,
                archived,
                range,
                Optional.of(range.stamp().settled()),
                Optional.empty(),
                true));
      } catch (IOException _) {
        return Optional.empty();
      }
    }

    /** Why a stamp settles nothing. */
    private Optional<String> refusal(ArchivedRange range, Opening opening, List<IndexedTag> lines)
        throws SQLException {
      return switch (opening) {
        case Opening.Refused(String why) -> Optional.of(why);
        case Opening.OtherTimes(SegmentStamp stamp) -> refusal(range, stamp, lines);
        case Opening.Trusted(SegmentStamp stamp) -> refusal(range, stamp, lines);
      };
    }

    private Optional<String> refusal(
        ArchivedRange range, SegmentStamp stamp, List<IndexedTag> lines) throws SQLException {
      SettledRange settled = stamp.settled();
      if (settled.first() != range.first() || settled.last() != range.last()) {
        return Optional.of(
            "it is the stamp of events %d to %d".formatted(settled.first(), settled.last()));
      }
      if (!settled.hasSameTree(
          new SettledRange(settled.rootBefore(), leaves(range), settled.checkpoints()))) {
        return Optional.of("the leaves in the database are not those that were stamped");
      }
      return RangeNote.isSigned(range, lines, order.trusted())
          ? Optional.empty()
          : Optional.of(
              "the tag index of its events, or their newest time, is not what was signed");
    }

    private CompactRange leaves(ArchivedRange range) throws SQLException {
      CompactRange leaves = new CompactRange(range.first() - 1);
      snapshot.leaves(range.first() - 1, range.last()).forEach(leaves::append);
      return leaves;
    }
  }
}
