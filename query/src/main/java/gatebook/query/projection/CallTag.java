package gatebook.query.projection;

import gatebook.events.journal.Entry;
import gatebook.events.journal.TagText;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/** The tag that groups a call's events. */
public final class CallTag {
  private static final String KEY = "call";
  private static final String PREFIX = KEY + ":";
  private static final int UUID_CHARS = 36;

  private CallTag() {}

  /** The call an entry is about, found without reading the entry's payload. */
  public static Optional<UUID> of(Entry entry) {
    for (String line : TagText.lines(entry.tags())) {
      if (line.startsWith(PREFIX) && line.length() == PREFIX.length() + UUID_CHARS) {
        return Optional.of(UUID.fromString(line.substring(PREFIX.length())));
      }
    }
    return Optional.empty();
  }

  /** The criteria that select the events of a call in the journal. */
  public static EventCriteria criteria(UUID call) {
    return EventCriteria.havingTags(new Tag(KEY, call.toString()));
  }
}
