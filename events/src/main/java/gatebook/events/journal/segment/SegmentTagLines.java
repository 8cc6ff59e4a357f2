package gatebook.events.journal.segment;

import gatebook.events.journal.segment.SegmentSnapshot.Part;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lines of all indexes, one segment at a time. */
final class SegmentTagLines implements RowCursor<IndexedTag> {
  private final List<Part> of;
  private final ArrayDeque<IndexedTag> lines = new ArrayDeque<>();
  private int next;

  SegmentTagLines(List<Part> of) {
    this.of = of;
  }

  @Override
  public @Nullable IndexedTag next() {
    try {
      while (lines.isEmpty() && next < of.size()) {
        Part part = of.get(next++);
        List<IndexedTag> found = new ArrayList<>(part.segment().linesFound());
        found.sort(Comparator.comparingLong(IndexedTag::first).thenComparing(IndexedTag::tag));
        found.stream().flatMap(line -> written(part, line).stream()).forEach(lines::add);
      }
    } catch (IOException e) {
      throw SegmentSnapshot.unreadable(e);
    }
    return lines.poll();
  }

  /** The index of the segment that is written may have grown since the snapshot. */
  private static Optional<IndexedTag> written(Part part, IndexedTag line) {
    return line.first() > part.last()
        ? Optional.empty()
        : Optional.of(new IndexedTag(line.tag(), line.first(), Math.min(line.last(), part.last())));
  }

  @Override
  public void close() {
    lines.clear();
    next = of.size();
  }
}
