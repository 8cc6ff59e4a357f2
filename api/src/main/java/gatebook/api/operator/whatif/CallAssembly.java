package gatebook.api.operator.whatif;

import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedEvent;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.projection.GroupTag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Assembles recorded calls from the events of the journal in their order. A call is complete when
 * it is forwarded or has ended; what comes later is not read. Most calls are complete with the
 * event after their decision; only those that wait for a person stay open for long.
 */
final class CallAssembly {
  private static final String RECEIVED = Named.NAMESPACE + ".CallReceived";

  /** Events that decide nothing, and after which nothing is decided. */
  private static final Set<String> CLOSING =
      Set.of(
          Named.NAMESPACE + ".CallForwarded",
          Named.NAMESPACE + ".CallAnswered",
          Named.NAMESPACE + ".CallAbandoned",
          Named.NAMESPACE + ".CallOrphaned");

  private static final Set<String> DECIDING =
      Set.of(
          Named.NAMESPACE + ".CallAdmitted",
          Named.NAMESPACE + ".GateDenied",
          Named.NAMESPACE + ".ApprovalRequested",
          Named.NAMESPACE + ".ApprovalGranted",
          Named.NAMESPACE + ".ApprovalRejected",
          Named.NAMESPACE + ".ApprovalTimedOut",
          Named.NAMESPACE + ".ErrorTranslated");

  private static final String ENDING = Named.NAMESPACE + ".ErrorTranslated";

  private final EventVocabulary eventVocabulary;
  private final Predicate<UUID> isSelected;
  private final int openMax;
  private final Map<UUID, Open> open = new LinkedHashMap<>();

  /**
   * A call with its decisions.
   *
   * @param position of its first event
   * @param at of its first event, RFC 3339 in UTC
   * @param contentState of its first event
   * @param isWhole whether all of its decisions were read
   */
  record Assembled(
      UUID callId,
      long position,
      String at,
      ContentState contentState,
      RecordedCall call,
      boolean isWhole) {}

  private record Open(
      long position, String at, ContentState contentState, List<RecordedEvent> events) {

    Assembled assembled(UUID callId, boolean isWhole) {
      return new Assembled(callId, position, at, contentState, RecordedCall.of(events), isWhole);
    }
  }

  /**
   * An assembly of calls.
   *
   * @param isSelected whether a call is in the sample
   * @param openMax how many calls may be open at the same time
   */
  CallAssembly(EventVocabulary eventVocabulary, Predicate<UUID> isSelected, int openMax) {
    this.eventVocabulary = eventVocabulary;
    this.isSelected = isSelected;
    this.openMax = openMax;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /**
   * Takes the next entry, and adds to the list the calls that are complete now.
   *
   * @param mayBegin whether a call may begin with it; of others it may be a later event
   */
  void add(Entry entry, boolean mayBegin, List<Assembled> complete) {
    if (entry.name().equals(RECEIVED)) {
      if (mayBegin) {
        begin(entry, complete);
      }
      return;
    }
    boolean isClosing = CLOSING.contains(entry.name());
    if (open.isEmpty() || !(isClosing || DECIDING.contains(entry.name()))) {
      return;
    }
    Optional<UUID> callId = GroupTag.CALL.of(entry);
    Open call = callId.map(open::get).orElse(null);
    if (call == null) {
      return;
    }
    if (isClosing || decide(entry, call)) {
      open.remove(callId.orElseThrow());
      complete.add(call.assembled(callId.orElseThrow(), true));
    }
  }

  private void begin(Entry entry, List<Assembled> complete) {
    Optional<UUID> callId = GroupTag.CALL.of(entry).filter(isSelected);
    if (callId.isEmpty()) {
      return;
    }
    Open call = opened(entry);
    open.put(callId.get(), call);
    if (open.size() > openMax) {
      Map.Entry<UUID, Open> oldest = open.entrySet().iterator().next();
      open.remove(oldest.getKey());
      complete.add(oldest.getValue().assembled(oldest.getKey(), false));
    }
  }

  /** Also what is in memory is opened with its keys, since its content may be erased by now. */
  private Open opened(Entry entry) {
    List<RecordedEvent> events = new ArrayList<>(3);
    OpenedPayload payload = eventVocabulary.open(entry);
    eventVocabulary
        .readIfPossible(entry, payload, CallEvent.class)
        .ifPresent(event -> events.add(recorded(entry, event)));
    return new Open(entry.position(), entry.at(), payload.contentState(), events);
  }

  /** Returns whether the call is complete. */
  private boolean decide(Entry entry, Open call) {
    Optional<CallEvent> event = eventVocabulary.readIfPossible(entry, CallEvent.class);
    event.ifPresent(it -> call.events().add(recorded(entry, it)));
    return entry.name().equals(ENDING)
        || (event.orElse(null) instanceof CallAdmitted admitted && isLast(admitted, call));
  }

  /** A call that no gate governs is not decided any further, nor is one after its approval. */
  private static boolean isLast(CallAdmitted admitted, Open call) {
    return admitted.rulings().isEmpty()
        || call.events().stream().anyMatch(it -> it.event() instanceof ApprovalRequested);
  }

  private static RecordedEvent recorded(Entry entry, CallEvent event) {
    return new RecordedEvent(entry.position(), Instant.parse(entry.at()), event);
  }

  /** The calls that are open at the end of what was read. */
  List<Assembled> rest() {
    List<Assembled> rest =
        open.entrySet().stream().map(it -> it.getValue().assembled(it.getKey(), true)).toList();
    open.clear();
    return rest;
  }
}
