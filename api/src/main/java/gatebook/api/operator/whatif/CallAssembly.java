package gatebook.api.operator.whatif;

import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedEvent;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.events.call.UtcTime;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.projection.GroupTag;
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
  private static final String ADMITTED = Named.NAMESPACE + ".CallAdmitted";
  private static final String REQUESTED = Named.NAMESPACE + ".ApprovalRequested";
  private static final String ENDING = Named.NAMESPACE + ".ErrorTranslated";

  /** Events that decide nothing, and after which nothing is decided. */
  private static final Set<String> CLOSING =
      Set.of(
          Named.NAMESPACE + ".CallForwarded",
          Named.NAMESPACE + ".CallAnswered",
          Named.NAMESPACE + ".CallAbandoned",
          Named.NAMESPACE + ".CallOrphaned");

  private static final Set<String> DECIDING =
      Set.of(
          ADMITTED,
          Named.NAMESPACE + ".GateDenied",
          REQUESTED,
          Named.NAMESPACE + ".ApprovalGranted",
          Named.NAMESPACE + ".ApprovalRejected",
          Named.NAMESPACE + ".ApprovalTimedOut",
          ENDING);

  private final EventVocabulary eventVocabulary;
  private final Predicate<UUID> isSelected;
  private final int openMax;
  private final Map<UUID, List<Part>> open = new LinkedHashMap<>();

  /**
   * An entry of a call.
   *
   * @param event absent unless the assembly had to read it
   */
  record Part(Entry entry, Optional<CallEvent> event) {

    Optional<RecordedEvent> recorded(EventVocabulary eventVocabulary) {
      return event
          .or(() -> eventVocabulary.readIfPossible(entry, CallEvent.class))
          .map(this::recorded);
    }

    RecordedEvent recorded(CallEvent read) {
      return new RecordedEvent(entry.position(), UtcTime.parse(entry.at()), read);
    }
  }

  /**
   * A call with its events, which are not opened yet.
   *
   * @param isWhole whether all that decides it was read
   */
  record Assembled(UUID callId, List<Part> parts, boolean isWhole) {

    /** Of its first event. */
    long position() {
      return parts.getFirst().entry().position();
    }

    /** Of its first event, RFC 3339 in UTC. */
    String at() {
      return parts.getFirst().entry().at();
    }

    /** Of all payloads. */
    long bytes() {
      return parts.stream().mapToLong(it -> it.entry().payload().length).sum();
    }

    /** Also what is in memory is opened with its keys, since its content may be erased by now. */
    OpenedCall opened(EventVocabulary eventVocabulary) {
      List<RecordedEvent> events = new ArrayList<>(parts.size());
      Part first = parts.getFirst();
      OpenedPayload payload = eventVocabulary.open(first.entry());
      eventVocabulary
          .readIfPossible(first.entry(), payload, CallEvent.class)
          .ifPresent(event -> events.add(first.recorded(event)));
      for (Part part : parts.subList(1, parts.size())) {
        part.recorded(eventVocabulary).ifPresent(events::add);
      }
      return new OpenedCall(RecordedCall.of(events), payload.contentState());
    }
  }

  /**
   * A call with its decisions.
   *
   * @param contentState of its first event
   */
  record OpenedCall(RecordedCall call, ContentState contentState) {}

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
    List<Part> parts = callId.map(open::get).orElse(null);
    if (parts == null) {
      return;
    }
    if (isClosing || decide(entry, parts)) {
      open.remove(callId.orElseThrow());
      complete.add(new Assembled(callId.orElseThrow(), parts, true));
    }
  }

  private void begin(Entry entry, List<Assembled> complete) {
    Optional<UUID> callId = GroupTag.CALL.of(entry).filter(isSelected);
    if (callId.isEmpty()) {
      return;
    }
    List<Part> parts = new ArrayList<>(3);
    parts.add(new Part(entry, Optional.empty()));
    open.put(callId.get(), parts);
    if (open.size() > openMax) {
      Map.Entry<UUID, List<Part>> oldest = open.entrySet().iterator().next();
      open.remove(oldest.getKey());
      complete.add(new Assembled(oldest.getKey(), oldest.getValue(), false));
    }
  }

  /** Returns whether the call is complete. */
  private boolean decide(Entry entry, List<Part> parts) {
    boolean isAsked = parts.stream().anyMatch(it -> it.entry().name().equals(REQUESTED));
    Optional<CallEvent> event =
        entry.name().equals(ADMITTED) && !isAsked
            ? eventVocabulary.readIfPossible(entry, CallEvent.class)
            : Optional.empty();
    parts.add(new Part(entry, event));
    return switch (entry.name()) {
      case ENDING -> true;
      case ADMITTED -> isAsked || isUngoverned(event);
      default -> false;
    };
  }

  /** A call that no gate governs is not decided any further. */
  private static boolean isUngoverned(Optional<CallEvent> event) {
    return event.orElse(null) instanceof CallAdmitted admitted && admitted.rulings().isEmpty();
  }

  /** The calls that are open at the end of what was read. */
  List<Assembled> rest() {
    List<Assembled> rest =
        open.entrySet().stream()
            .map(it -> new Assembled(it.getKey(), it.getValue(), true))
            .toList();
    open.clear();
    return rest;
  }
}
