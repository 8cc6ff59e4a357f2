package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.query.projection.CallTag;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;

/** Recorded events as one reader of the tail is sent them. Not to be shared between threads. */
final class TailEvents {
  private static final JsonMapper JSON = new JsonMapper();

  /** Only the first event of a call says whose it is; so many calls' are not looked up again. */
  private static final int PRINCIPALS_MAX = 1_024;

  /** What {@code rules.show} and {@code rules.check} tell admins only. */
  private static final Map<String, List<String>> FOR_ADMINS =
      Map.of(
          "RulesActivated", List.of("rules", "policies", "schema"),
          "RulesRejected", List.of("mistakes"));

  private final Journal journal;
  private final TailFilter filter;
  private final Operator reader;
  private final Map<UUID, String> principals =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, String> eldest) {
          return size() > PRINCIPALS_MAX;
        }
      };

  TailEvents(Journal journal, TailFilter filter, Operator reader) {
    this.journal = journal;
    this.filter = filter;
    this.reader = reader;
  }

  /** Says how far the reader has come, so that he goes on from there; it is no event of his. */
  static byte[] position(long position, String comment) {
    return ": %s\nid: %d\n\n".formatted(comment, position).getBytes(UTF_8);
  }

  /** Empty when the reader does not want it. */
  Optional<byte[]> of(Entry entry) {
    Optional<UUID> call = CallTag.of(entry);
    if (!isNamed(entry) || !(filter.callId().isEmpty() || filter.callId().equals(call))) {
      return Optional.empty();
    }
    JsonNode data = data(entry);
    return filter.principal().isEmpty() || filter.principal().equals(principal(data, call))
        ? Optional.of(sent(entry, call, data))
        : Optional.empty();
  }

  private boolean isNamed(Entry entry) {
    return filter.names().isEmpty() || filter.names().contains(entry.name());
  }

  private byte[] sent(Entry entry, Optional<UUID> call, JsonNode data) {
    String name = new QualifiedName(entry.name()).localName();
    VisibleEvent.limit(data, reader);
    if (data instanceof ObjectNode object && !reader.has(Role.ADMIN)) {
      object.remove(FOR_ADMINS.getOrDefault(name, List.of()));
    }
    ObjectNode event =
        JSON.createObjectNode()
            .put("position", entry.position())
            .put("name", name)
            .put("at", entry.at())
            .put("node", entry.node());
    call.ifPresent(it -> event.put("callId", it.toString()));
    event.set("data", data);
    return "id: %d\nevent: %s\ndata: %s\n\n"
        .formatted(entry.position(), name, event)
        .getBytes(UTF_8);
  }

  private Optional<String> principal(JsonNode data, Optional<UUID> call) {
    return named(data)
        .or(() ->
            call.map(it -> principals.computeIfAbsent(it, this::recorded))
                .filter(name -> !name.isEmpty()));
  }

  private static Optional<String> named(JsonNode data) {
    JsonNode principal = data.path("principal");
    return Optional.ofNullable(
        (principal.isObject() ? principal.path("name") : principal).textValue());
  }

  /** By the first event of the call; nobody when that does not say. */
  private String recorded(UUID call) {
    return journal.find(CallTag.criteria(call), 0, journal.head(), 1).stream()
        .findFirst()
        .flatMap(first -> named(data(first)))
        .orElse("");
  }

  private static JsonNode data(Entry entry) {
    try {
      return JSON.readTree(entry.payload());
    } catch (IOException _) {
      return new BinaryNode(entry.payload()); // somebody else wrote this row
    }
  }
}
