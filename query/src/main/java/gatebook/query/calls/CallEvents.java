package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.UnreadableEvent;
import gatebook.query.projection.CallTag;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.messaging.core.MessageType;

/** The events of single calls, found by their tag. */
public final class CallEvents {
  /** After one of these, nobody is told anything more. */
  public static final Set<String> ENDS =
      Set.of(
          Named.NAMESPACE + ".CallAnswered",
          Named.NAMESPACE + ".ErrorTranslated",
          Named.NAMESPACE + ".CallAbandoned",
          Named.NAMESPACE + ".CallOrphaned");

  /** With one of these, a call becomes known. */
  static final Set<String> BEGINS =
      Set.of(Named.NAMESPACE + ".CallReceived", Named.NAMESPACE + ".MessageRefused");

  static final String ADMITTED = Named.NAMESPACE + ".CallAdmitted";
  static final String FORWARDED = Named.NAMESPACE + ".CallForwarded";

  private static final int PER_CALL_MAX = 1_000;

  private final Journal journal;
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  public CallEvents(Journal journal) {
    this.journal = journal;
  }

  /** What this version can read of a call, in its order. */
  public List<CallEvent> of(UUID call) {
    return entries(call).stream().flatMap(this::read).toList();
  }

  List<Entry> entries(UUID call) {
    return journal.find(CallTag.criteria(call), 0, journal.head(), PER_CALL_MAX);
  }

  Stream<CallEvent> read(Entry entry) {
    try {
      MessageType type = new MessageType(entry.name(), entry.version());
      return eventVocabulary.read(type, entry.payload()) instanceof CallEvent event
          ? Stream.of(event)
          : Stream.empty();
    } catch (UnreadableEvent | IllegalArgumentException _) {
      return Stream.empty();
    }
  }
}
