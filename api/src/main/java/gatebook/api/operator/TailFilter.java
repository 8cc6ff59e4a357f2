package gatebook.api.operator;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import gatebook.events.Named;
import gatebook.events.call.Json;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpParameters;
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
 * Which events a reader of the tail wants.
 *
 * @param names full names of events; all of them when empty
 * @param principal whose calls
 * @param after the position after which to begin; absent for now
 */
record TailFilter(
    Set<String> names, Optional<UUID> callId, Optional<String> principal, OptionalLong after) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern POSITION = Pattern.compile("\\d{1,18}");
  private static final List<String> KNOWN = List.of("name", "callId", "principal", "after");

  /** What reading a filter ends in. */
  sealed interface Reading {
    record Read(TailFilter filter) implements Reading {}

    record Wrong(String sentence) implements Reading {}
  }

  TailFilter {
    names = Set.copyOf(names);
  }

  /**
   * Reads what a request asks for.
   *
   * @param events the full names of all events there are
   */
  static Reading read(HttpParameters query, HttpHeaders headers, Set<String> events) {
    List<String> names = query.getAll("name").stream().map(TailFilter::inFull).toList();
    Optional<String> after = after(query, headers);
    return Stream.of(
            mistake(
                KNOWN.containsAll(query.names()),
                "the tail takes no other parameters than " + String.join(", ", KNOWN)),
            mistake(events.containsAll(names), "name must be that of an event, as in GateDenied"),
            mistake(
                isOne(query, "callId", Param.Type.CALL_ID),
                "callId must be given once: " + Param.Type.CALL_ID.words()),
            mistake(
                isOne(query, "principal", Param.Type.TEXT),
                "principal must be given once: " + Param.Type.TEXT.words()),
            mistake(
                after.stream().allMatch(it -> POSITION.matcher(it).matches()),
                "after, or Last-Event-ID, must be " + Param.Type.POSITION.words()))
        .flatMap(Optional::stream)
        .findFirst()
        .<Reading>map(Reading.Wrong::new)
        .orElseGet(() ->
            new Reading.Read(
                new TailFilter(
                    Set.copyOf(names),
                    callId(query),
                    query.getFirst("principal"),
                    position(after))));
  }

  /** As it is recorded. */
  Json json() {
    ObjectNode json = JSON.createObjectNode();
    if (!names.isEmpty()) {
      json.set("name", JSON.valueToTree(new TreeSet<>(names)));
    }
    callId.ifPresent(it -> json.put("callId", it.toString()));
    principal.ifPresent(it -> json.put("principal", it));
    after.ifPresent(it -> json.put("after", it));
    return Json.parse(json.toString());
  }

  private static Optional<String> mistake(boolean good, String sentence) {
    return good ? Optional.empty() : Optional.of(sentence);
  }

  private static String inFull(String name) {
    return name.contains(".") ? name : Named.NAMESPACE + "." + name;
  }

  private static boolean isOne(HttpParameters query, String name, Param.Type type) {
    List<String> values = query.getAll(name);
    return values.size() <= 1 && values.stream().map(TextNode::valueOf).allMatch(type::takes);
  }

  private static Optional<UUID> callId(HttpParameters query) {
    return query
        .getFirst("callId")
        .map(it -> new Params(Map.of("callId", TextNode.valueOf(it))).callId("callId"));
  }

  /**
   * Who lost the connection asks, at the address he asked at first, with the header for what comes
   * after the last event he saw.
   */
  private static Optional<String> after(HttpParameters query, HttpHeaders headers) {
    return Optional.ofNullable(headers.get("Last-Event-ID")).or(() -> query.getFirst("after"));
  }

  private static OptionalLong position(Optional<String> text) {
    return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get())) : OptionalLong.empty();
  }
}
