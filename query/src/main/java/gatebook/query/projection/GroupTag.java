package gatebook.query.projection;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.TagText;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * A tag that groups events: a view keeps their order, and projects them again together. The column
 * of the same name has a row's group.
 */
public enum GroupTag {
  CALL("call"),
  TREE("tree");

  private static final int UUID_CHARS = 36;

  private final String key;
  private final String prefix;

  GroupTag(String key) {
    this.key = key;
    this.prefix = key + ":";
  }

  /** The group an entry belongs to, found without reading the entry's payload. */
  public Optional<UUID> of(Entry entry) {
    for (String line : TagText.lines(entry.tags())) {
      if (line.startsWith(prefix) && line.length() == prefix.length() + UUID_CHARS) {
        return Optional.of(UUID.fromString(line.substring(prefix.length())));
      }
    }
    return Optional.empty();
  }

  /** The criteria that select the events of a group in the journal. */
  public EventCriteria criteria(UUID group) {
    return EventCriteria.havingTags(new Tag(key, group.toString()));
  }

  String column() {
    return key;
  }
}
