package gatebook.api.operator.tail;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MemberType;
import gatebook.events.Named;
import gatebook.events.call.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Selects the events that a reader of the tail receives.
 *
 * @param names full names of events; all events when empty
 * @param principal the principal whose calls match
 * @param after the position to start after; empty to start now
 */
record TailFilter(
    Set<String> names, Optional<UUID> callId, Optional<String> principal, OptionalLong after) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern POSITION = Pattern.compile("\\d{1,18}");
  private static final List<String> KNOWN = List.of("name", "callId", "principal", "after");

  /** The outcome of reading a filter. */
  sealed interface Reading {
    record Read(TailFilter filter) implements Reading {}

    record Invalid(String sentence) implements Reading {}
  }

  TailFilter {
    names = Set.copyOf(names);
  }

  /**
   * Reads the filter from the query of a request.
   *
   * @param lastSeen the position of the last event received before a reconnect; it overrides {@code
   *     after}, since the query is the original one
   * @param events the full names of all events that exist
   */
  static Reading read(
      Map<String, List<String>> query, Optional<String> lastSeen, Set<String> events) {
    List<String> names = all(query, "name").stream().map(TailFilter::fullName).toList();
    Optional<String> after = lastSeen.or(() -> first(query, "after"));
    return Stream.of(
            mistake(
                KNOWN.containsAll(query.keySet()),
                "the tail takes only the parameters " + String.join(", ", KNOWN)),
            mistake(
                events.containsAll(names), "name must be the name of an event, as in GateDenied"),
            mistake(
                isSingle(query, "callId", ParamTypes.CALL_ID),
                "callId must be given once: " + ParamTypes.CALL_ID.expected()),
            mistake(
                isSingle(query, "principal", ParamTypes.TEXT),
                "principal must be given once: " + ParamTypes.TEXT.expected()),
            mistake(
                after.stream().allMatch(it -> POSITION.matcher(it).matches()),
                "after, or Last-Event-ID, must be " + ParamTypes.POSITION.expected()))
        .flatMap(Optional::stream)
        .findFirst()
        .<Reading>map(Reading.Invalid::new)
        .orElseGet(() ->
            new Reading.Read(
                new TailFilter(
                    Set.copyOf(names), callId(query), first(query, "principal"), position(after))));
  }

  /** The filter as it is recorded. */
  JsonValue json() {
    ObjectNode json = JSON.createObjectNode();
    if (!names.isEmpty()) {
      json.set("name", JSON.valueToTree(new TreeSet<>(names)));
    }
    callId.ifPresent(it -> json.put("callId", it.toString()));
    principal.ifPresent(it -> json.put("principal", it));
    after.ifPresent(it -> json.put("after", it));
    return JsonValue.parse(json.toString());
  }

  private static Optional<String> mistake(boolean good, String sentence) {
    return good ? Optional.empty() : Optional.of(sentence);
  }

  private static String fullName(String name) {
    return name.contains(".") ? name : Named.NAMESPACE + "." + name;
  }

  private static List<String> all(Map<String, List<String>> query, String name) {
    return query.getOrDefault(name, List.of());
  }

  private static Optional<String> first(Map<String, List<String>> query, String name) {
    return all(query, name).stream().findFirst();
  }

  private static boolean isSingle(Map<String, List<String>> query, String name, MemberType type) {
    List<String> values = all(query, name);
    return values.size() <= 1 && values.stream().map(JsonStrings::quoted).allMatch(type::accepts);
  }

  private static Optional<UUID> callId(Map<String, List<String>> query) {
    return first(query, "callId").map(CallParams::callIdOf);
  }

  private static OptionalLong position(Optional<String> text) {
    return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get())) : OptionalLong.empty();
  }
}
