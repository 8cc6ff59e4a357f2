package gatebook.query.call;

import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.projection.GroupTag;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Finds the events of a call in the journal by their tag. */
public final class CallEvents {
  public static final String ANSWERED = Named.NAMESPACE + ".CallAnswered";
  public static final String TRANSLATED = Named.NAMESPACE + ".ErrorTranslated";
  public static final String ABANDONED = Named.NAMESPACE + ".CallAbandoned";
  public static final String ORPHANED = Named.NAMESPACE + ".CallOrphaned";

  /** The events that end a call: its caller gets no response after one of them. */
  public static final Set<String> ENDS = Set.of(ANSWERED, TRANSLATED, ABANDONED, ORPHANED);

  /** The events that begin a call. */
  public static final Set<String> BEGINS =
      Set.of(Named.NAMESPACE + ".CallReceived", Named.NAMESPACE + ".MessageRefused");

  /** The events that give a call's task an id. */
  public static final Set<String> CREATIONS =
      Set.of(Named.NAMESPACE + ".TaskCreated", Named.NAMESPACE + ".AgentTaskCreated");

  public static final String ADMITTED = Named.NAMESPACE + ".CallAdmitted";
  public static final String FORWARDED = Named.NAMESPACE + ".CallForwarded";

  private static final int PER_CALL_MAX = 1_000;

  private final Journal journal;
  private final EventVocabulary eventVocabulary;

  /**
   * @param eventVocabulary reads the events, with their content when it has keys
   */
  public CallEvents(Journal journal, EventVocabulary eventVocabulary) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
  }

  /** The events of a call, in order. Leaves out events that this version cannot read. */
  public List<CallEvent> of(UUID call) {
    return entries(call).stream().flatMap(entry -> read(entry).stream()).toList();
  }

  public List<Entry> entries(UUID call) {
    return journal.find(GroupTag.CALL.criteria(call), 0, journal.head(), PER_CALL_MAX);
  }

  /**
   * An entry as people may see it, opened once.
   *
   * @param event without originals; empty when this version cannot read it
   */
  public record Shown(Entry entry, Optional<CallEvent> event, EventData data) {}

  /** An entry as people may see it. */
  public Shown shown(Entry entry) {
    OpenedPayload opened = eventVocabulary.openToShow(entry);
    return new Shown(entry, read(entry, opened), EventData.of(entry, opened));
  }

  /**
   * An entry with all of its content, opened once.
   *
   * @param event empty when this version cannot read it
   */
  public record Opened(Entry entry, Optional<CallEvent> event, ContentState contentState) {}

  /** An entry with all of its content. */
  public Opened open(Entry entry) {
    OpenedPayload opened = eventVocabulary.open(entry);
    return new Opened(entry, read(entry, opened), opened.contentState());
  }

  private Optional<CallEvent> read(Entry entry, OpenedPayload opened) {
    return eventVocabulary.readIfPossible(entry, opened, CallEvent.class);
  }

  /** The event of an entry; empty when this version cannot read it. */
  public Optional<CallEvent> read(Entry entry) {
    return eventVocabulary.readIfPossible(entry, CallEvent.class);
  }
}
