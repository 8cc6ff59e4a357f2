package gatebook.query.verification;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.TagText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the tag index against the rows: both must list the same tags of the same events.
 *
 * <p>A line of the index that lists events without a row causes one finding for each gap between
 * rows.
 */
final class TagIndexCheck {
  private final RowCursor<IndexedTag> index;
  private final FindingCollector findingCollector;
  private final List<IndexedTag> open = new ArrayList<>();
  private @Nullable IndexedTag next;
  private long passed = Long.MIN_VALUE;

  TagIndexCheck(RowCursor<IndexedTag> index, FindingCollector findingCollector) {
    this.index = index;
    this.findingCollector = findingCollector;
    this.next = index.next();
  }

  void checkRow(Entry entry) {
    skipRowsBefore(entry.position());
    openUpTo(entry.position());
    List<String> tags = new ArrayList<>(TagText.lines(entry.tags()));
    for (IndexedTag line : open) {
      if (!tags.remove(line.tag())) {
        reportOnlyInIndex(entry.position(), line);
      }
    }
    tags.forEach(tag ->
        findingCollector.add(new VerificationFinding.IndexMismatch(entry.position(), tag, false)));
    pass(entry.position());
  }

  void end() {
    skipRowsBefore(Long.MAX_VALUE);
  }

  private void skipRowsBefore(long position) {
    if (passed < position - 1) {
      open.forEach(line -> reportOnlyInIndex(passed + 1, line));
    }
    for (IndexedTag line = next; line != null && line.first() < position; line = advance()) {
      reportOnlyInIndex(line.first(), line);
      open(line);
    }
    pass(position - 1);
  }

  private void openUpTo(long position) {
    for (IndexedTag line = next; line != null && line.first() <= position; line = advance()) {
      if (line.last() < line.first()) {
        reportOnlyInIndex(line.first(), line);
      }
      open(line);
    }
  }

  /** Readers do not use a line beyond its maximum number of events. */
  private void open(IndexedTag line) {
    long lastRead = line.first() + IndexedTag.EVENTS_MAX - 1;
    if (line.last() > lastRead) {
      reportOnlyInIndex(lastRead + 1, line);
    }
    if (line.last() >= line.first()) {
      open.add(new IndexedTag(line.tag(), line.first(), Math.min(line.last(), lastRead)));
    }
  }

  private void pass(long position) {
    passed = position;
    open.removeIf(line -> line.last() <= position);
  }

  private void reportOnlyInIndex(long position, IndexedTag line) {
    findingCollector.add(new VerificationFinding.IndexMismatch(position, line.tag(), true));
  }

  private @Nullable IndexedTag advance() {
    next = index.next();
    return next;
  }
}
