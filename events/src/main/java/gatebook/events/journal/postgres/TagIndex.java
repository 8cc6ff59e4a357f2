package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.TagText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tag index: joins neighbouring events of one tag in one line, because an append is mostly the
 * events of one call, and each line costs as much as an event does.
 */
final class TagIndex {
  private final List<IndexedTag> lines = new ArrayList<>();
  private final Map<String, IndexedTag> newest = new HashMap<>();

  private TagIndex() {}

  /** The lines for events with consecutive positions. */
  static List<IndexedTag> of(List<Entry> entries) {
    TagIndex index = new TagIndex();
    for (Entry entry : entries) {
      for (String tag : TagText.lines(entry.tags())) {
        index.add(tag, entry.position());
      }
    }
    index.lines.addAll(index.newest.values());
    return index.lines;
  }

  private void add(String tag, long position) {
    IndexedTag line = newest.get(tag);
    if (line != null && continues(line, position)) {
      newest.put(tag, new IndexedTag(tag, line.first(), position));
      return;
    }
    if (line != null) {
      lines.add(line);
    }
    newest.put(tag, new IndexedTag(tag, position, position));
  }

  private static boolean continues(IndexedTag line, long position) {
    return line.last() == position - 1 && position - line.first() < IndexedTag.EVENTS_MAX;
  }
}
