package gatebook.api.operator.tail;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.VisibleEvent;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.ApprovalRequested;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.EventData;
import gatebook.query.projection.GroupTag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;

/** Formats recorded events as server-sent events for one reader of the tail. Not thread-safe. */
final class TailEvents {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String APPROVAL_REQUESTED = ApprovalRequested.class.getSimpleName();

  /** How many calls' principals are cached: only the first event of a call names its principal. */
  private static final int PRINCIPALS_MAX = 1_024;

  /** Members that only admins see, here as in {@code rules.show} and {@code rules.check}. */
  private static final Map<String, List<String>> ADMIN_ONLY =
      Map.of(
          "RulesActivated", List.of("rules", "policies", "schema"),
          "RulesObserved", List.of("rules", "policies", "schema"),
          "RulesRejected", List.of("mistakes"));

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final TailFilter filter;
  private final Operator reader;
  private final HiddenArguments hiddenArguments;
  private final Map<UUID, String> principals =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, String> eldest) {
          return size() > PRINCIPALS_MAX;
        }
      };

  TailEvents(
      Journal journal,
      EventVocabulary eventVocabulary,
      TailFilter filter,
      Operator reader,
      HiddenArguments hiddenArguments) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.hiddenArguments = hiddenArguments;
    this.filter = filter;
    this.reader = reader;
  }

  /** A comment block that gives the reader its position to resume from; it is not an event. */
  static byte[] positionBlock(long position, String comment) {
    return ": %s\nid: %d\n\n".formatted(comment, position).getBytes(UTF_8);
  }

  /** Empty when the filter does not match the event. */
  Optional<byte[]> block(Entry entry) {
    Optional<UUID> call = GroupTag.CALL.of(entry);
    if (!matchesName(entry) || !(filter.callId().isEmpty() || filter.callId().equals(call))) {
      return Optional.empty();
    }
    EventData eventData = EventData.of(entry, eventVocabulary);
    JsonNode data = eventData.json();
    return filter.principal().isEmpty() || filter.principal().equals(principal(data, call))
        ? Optional.of(eventBlock(entry, call, eventData))
        : Optional.empty();
  }

  private boolean matchesName(Entry entry) {
    return filter.names().isEmpty() || filter.names().contains(entry.name());
  }

  private byte[] eventBlock(Entry entry, Optional<UUID> call, EventData eventData) {
    JsonNode data = eventData.json();
    String name = new QualifiedName(entry.name()).localName();
    VisibleEvent.restrict(data, reader);
    hiddenArguments.hide(data, () -> call.flatMap(it -> workflow(it, entry)));
    if (data instanceof ObjectNode object && !reader.has(Role.ADMIN)) {
      object.remove(ADMIN_ONLY.getOrDefault(name, List.of()));
    }
    ObjectNode event =
        JSON.createObjectNode()
            .put("position", entry.position())
            .put("name", name)
            .put("at", entry.at())
            .put("node", entry.node());
    call.ifPresent(it -> event.put("callId", it.toString()));
    event.set("data", data);
    if (eventData.unreadable() != null) {
      event.put("content", eventData.unreadable().word());
    }
    return "id: %d\nevent: %s\ndata: %s\n\n"
        .formatted(entry.position(), name, event)
        .getBytes(UTF_8);
  }

  /** The workflow of a call that is held: the event about that follows at once. */
  private Optional<String> workflow(UUID call, Entry received) {
    return journal
        .find(GroupTag.CALL.criteria(call), received.position(), received.position() + 1, 1)
        .stream()
        .filter(next -> new QualifiedName(next.name()).localName().equals(APPROVAL_REQUESTED))
        .map(next -> json(next).path("workflow").asText())
        .findFirst();
  }

  private Optional<String> principal(JsonNode data, Optional<UUID> call) {
    return principalName(data)
        .or(() ->
            call.map(it -> principals.computeIfAbsent(it, this::recordedPrincipal))
                .filter(name -> !name.isEmpty()));
  }

  private static Optional<String> principalName(JsonNode data) {
    JsonNode principal = data.path("principal");
    return Optional.ofNullable(
        (principal.isObject() ? principal.path("name") : principal).textValue());
  }

  /** The principal of the call's first event; empty text when it has none. */
  private String recordedPrincipal(UUID call) {
    return journal.find(GroupTag.CALL.criteria(call), 0, journal.head(), 1).stream()
        .findFirst()
        .flatMap(first -> principalName(json(first)))
        .orElse("");
  }

  private JsonNode json(Entry entry) {
    return EventData.of(entry, eventVocabulary).json();
  }
}
