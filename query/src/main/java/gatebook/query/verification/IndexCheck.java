package gatebook.query.verification;

import gatebook.events.journal.Cursor;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Snapshot.IndexedTag;
import gatebook.events.journal.TagText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks the tag index beside the rows: both must list the same tags of the same events. */
final class IndexCheck {
  private final Cursor<IndexedTag> index;
  private final Findings findings;
  private @Nullable IndexedTag next;

  IndexCheck(Cursor<IndexedTag> index, Findings findings) {
    this.index = index;
    this.findings = findings;
    this.next = index.next();
  }

  void row(Entry entry) {
    withoutRowsBefore(entry.position());
    List<String> tags = new ArrayList<>(TagText.lines(entry.tags()));
    for (IndexedTag listed = next;
        listed != null && listed.position() == entry.position();
        listed = advance()) {
      if (!tags.remove(listed.tag())) {
        findings.add(new Finding.IndexMismatch(listed.position(), listed.tag(), true));
      }
    }
    tags.forEach(tag -> findings.add(new Finding.IndexMismatch(entry.position(), tag, false)));
  }

  void end() {
    withoutRowsBefore(Long.MAX_VALUE);
  }

  private void withoutRowsBefore(long position) {
    for (IndexedTag listed = next;
        listed != null && listed.position() < position;
        listed = advance()) {
      findings.add(new Finding.IndexMismatch(listed.position(), listed.tag(), true));
    }
  }

  private @Nullable IndexedTag advance() {
    next = index.next();
    return next;
  }
}
