package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.ListCursor;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A range of a snapshot whose events were dropped for good: of those that are kept there are rows,
 * and of the others their leaves.
 *
 * <p>Rows of the others may still be there before the partition is removed. Those that are what
 * their leaves say are as good as gone.
 *
 * @param begin of the range, or of its first part
 */
record DroppedRowsPart(RowSnapshot snapshot, ArchivedRange begin, long last)
    implements SnapshotPart {
  private static final int PAGE = 1_000;

  @Override
  public RowCursor<Entry> events(long after) {
    return RowSnapshot.pages(begin.first() - 1, this::page);
  }

  private List<Entry> page(long after) throws SQLException {
    if (after >= last) {
      return List.of();
    }
    long to = Math.min(last, after + PAGE);
    List<byte[]> leaves = snapshot.leaves(after, to);
    Map<Long, Entry> rows = new TreeMap<>();
    LeafHasher hasher = new LeafHasher();
    for (Entry left : snapshot.leftRows(after, to)) {
      if (!Arrays.equals(hasher.leaf(left), leaves.get((int) (left.position() - after - 1)))) {
        rows.put(left.position(), left);
      }
    }
    snapshot.keptRows(after, to).forEach(kept -> rows.put(kept.position(), kept));
    List<Entry> page = new ArrayList<>(leaves.size());
    for (byte[] leaf : leaves) {
      long position = after + page.size() + 1;
      Entry row = rows.get(position);
      page.add(row == null ? Entry.dropped(position, leaf) : withWrongLeaf(row, leaf, hasher));
    }
    return page;
  }

  /** A row with the leaf that stayed beside it, unless its own is the one that is not its hash. */
  private static Entry withWrongLeaf(Entry row, byte[] leaf, LeafHasher hasher) {
    return Arrays.equals(hasher.leaf(row), leaf) ? row : row.withLeaf(leaf);
  }

  /** As long as rows of the others are there, so may their lines be: both are as good as gone. */
  @Override
  public RowCursor<IndexedTag> tagIndex() {
    RowCursor<IndexedTag> lines = snapshot.linesIn(begin.first(), last);
    try {
      return snapshot.leftRows(last - 1, last).isEmpty() ? lines : new ListCursor<>(ofKept(lines));
    } catch (SQLException e) {
      throw RowSnapshot.unreadable(e);
    }
  }

  private List<IndexedTag> ofKept(RowCursor<IndexedTag> lines) throws SQLException {
    Set<Long> kept = new HashSet<>();
    for (long after = begin.first() - 1; after < last; after += PAGE) {
      snapshot
          .keptRows(after, Math.min(last, after + PAGE))
          .forEach(row -> kept.add(row.position()));
    }
    List<IndexedTag> found = new ArrayList<>();
    for (IndexedTag line = lines.next(); line != null; line = lines.next()) {
      String tag = line.tag();
      LongStream.rangeClosed(line.first(), line.last())
          .filter(kept::contains)
          .forEach(at -> found.add(new IndexedTag(tag, at, at)));
    }
    found.sort(Comparator.comparingLong(IndexedTag::first));
    return found;
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return snapshot.checkpoints(begin.first(), last);
  }

  @Override
  public Optional<DroppedPart> dropped() {
    return Optional.of(new DroppedPart(newestAt(), last - begin.first() + 1));
  }

  private Instant newestAt() {
    try {
      return Instant.parse(begin.newestAt());
    } catch (DateTimeParseException _) {
      return Instant.MIN; // the event says another one
    }
  }
}
