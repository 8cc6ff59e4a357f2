package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the tag index, range by range of ascending positions. A line may begin in one range
 * and end in another one: each gets its part.
 */
final class TagLines implements AutoCloseable {
  private final RowCursor<IndexedTag> lines;
  private final List<IndexedTag> open = new ArrayList<>();
  private @Nullable IndexedTag next;

  /**
   * @param lines by ascending position of the first event
   */
  TagLines(RowCursor<IndexedTag> lines) {
    this.lines = lines;
    this.next = lines.next();
  }

  /** The lines of a range, which is read before the next one is asked for. */
  RowCursor<IndexedTag> in(long first, long last) {
    for (IndexedTag line = next; line != null && line.first() < first; line = advance()) {
      open.add(line);
    }
    Deque<IndexedTag> begun = new ArrayDeque<>();
    open.removeIf(line -> line.last() < first);
    open.forEach(line -> begun.add(new IndexedTag(line.tag(), first, Math.min(line.last(), last))));
    open.removeIf(line -> line.last() <= last);
    return new RowCursor<>() {
      @Override
      public @Nullable IndexedTag next() {
        return begun.isEmpty() ? beginning(last) : begun.poll();
      }

      @Override
      public void close() {}
    };
  }

  /** The next line that begins in a range; null when there is none. */
  private @Nullable IndexedTag beginning(long last) {
    IndexedTag line = next;
    if (line == null || line.first() > last) {
      return null;
    }
    advance();
    if (line.last() <= last) {
      return line;
    }
    open.add(line);
    return new IndexedTag(line.tag(), line.first(), last);
  }

  private @Nullable IndexedTag advance() {
    next = lines.next();
    return next;
  }

  @Override
  public void close() {
    lines.close();
  }
}
