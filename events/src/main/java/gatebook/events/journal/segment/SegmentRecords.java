package gatebook.events.journal.segment;

import gatebook.events.journal.segment.SegmentSnapshot.Part;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.storage.RowCursor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Something of each record, in the order of the records. */
final class SegmentRecords<T> implements RowCursor<T> {
  private final SegmentFiles files;
  private final List<Part> of;
  private final Function<BatchRecord, Collection<T>> part;
  private final Predicate<T> filter;
  private final ArrayDeque<T> rows = new ArrayDeque<>();
  private int next;
  private @Nullable SegmentScan scan;

  SegmentRecords(
      SegmentFiles files,
      List<Part> of,
      Function<BatchRecord, Collection<T>> part,
      Predicate<T> filter) {
    this.files = files;
    this.of = of;
    this.part = part;
    this.filter = filter;
  }

  @Override
  public @Nullable T next() {
    try {
      while (rows.isEmpty() && fetch()) {}
    } catch (IOException e) {
      throw SegmentSnapshot.unreadable(e);
    }
    return rows.poll();
  }

  /** False at the end. */
  private boolean fetch() throws IOException {
    SegmentScan current = scan;
    BatchRecord record = current == null ? null : current.next();
    if (record != null) {
      part.apply(record).stream().filter(filter).forEach(rows::add);
      return true;
    }
    if (next == of.size()) {
      return false;
    }
    Part nextPart = of.get(next++);
    scan = files.scan(nextPart.header(), nextPart.end());
    return true;
  }

  @Override
  public void close() {
    rows.clear();
    next = of.size();
    scan = null;
  }
}
