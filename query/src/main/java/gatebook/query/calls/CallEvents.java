package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.TagText;
import gatebook.events.vocabulary.UnreadableEvent;
import gatebook.events.vocabulary.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/** The events of single calls, found by their tag. */
public final class CallEvents {
  /** After one of these, nobody is told anything more. */
  public static final Set<String> ENDS =
      Set.of(
          Named.NAMESPACE + ".CallAnswered",
          Named.NAMESPACE + ".ErrorTranslated",
          Named.NAMESPACE + ".CallAbandoned",
          Named.NAMESPACE + ".CallOrphaned");

  private static final String CALL = "call";
  private static final int PER_CALL_MAX = 1_000;
  private static final int UUID_CHARS = 36;

  private final Journal journal;
  private final Vocabulary vocabulary = new Vocabulary();

  public CallEvents(Journal journal) {
    this.journal = journal;
  }

  /** The call an entry is about, known without reading its payload. */
  public static Optional<UUID> callOf(Entry entry) {
    String prefix = CALL + ":";
    return TagText.lines(entry.tags()).stream()
        .filter(line -> line.startsWith(prefix) && line.length() == prefix.length() + UUID_CHARS)
        .map(line -> UUID.fromString(line.substring(prefix.length())))
        .findFirst();
  }

  /** What this version can read of a call, in its order. */
  public List<CallEvent> of(UUID call) {
    return entries(call).stream().flatMap(this::read).toList();
  }

  List<Entry> entries(UUID call) {
    EventCriteria ofCall = EventCriteria.havingTags(new Tag(CALL, call.toString()));
    return journal.find(ofCall, 0, journal.head(), PER_CALL_MAX);
  }

  Stream<CallEvent> read(Entry entry) {
    try {
      MessageType type = new MessageType(entry.name(), entry.version());
      return vocabulary.read(type, entry.payload()) instanceof CallEvent event
          ? Stream.of(event)
          : Stream.empty();
    } catch (UnreadableEvent | IllegalArgumentException _) {
      return Stream.empty();
    }
  }
}
