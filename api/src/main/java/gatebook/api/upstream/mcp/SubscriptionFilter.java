package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * What somebody wants to hear, or is told: kinds of changes, and changes of things that are named.
 *
 * @param kinds in the order in which they were named
 * @param named by the member that names them, without quotes and escapes
 */
public record SubscriptionFilter(List<String> kinds, Map<String, List<String>> named) {

  /** What says what was agreed to. */
  public static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

  /** By what everything that is heard says by whom. */
  public static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  /** Of the params, what says it. */
  public static final String MEMBER = "notifications";

  /** Names tasks. */
  public static final String TASKS = "taskIds";

  /** Names resources. */
  public static final String RESOURCES = "resourceSubscriptions";

  private static final String WANTED = "true";

  public SubscriptionFilter {
    kinds = List.copyOf(kinds);
    named = Collections.unmodifiableMap(new TreeMap<>(named));
  }

  /** What the params of a method or of a notification say. */
  public static SubscriptionFilter of(ObjectMembers params) {
    List<String> kinds = new ArrayList<>();
    Map<String, List<String>> named = new TreeMap<>();
    params
        .members(MEMBER)
        .forEach((member, value) -> {
          if (value.equals(WANTED)) {
            kinds.add(member);
          }
          ArrayElements.of(value).ifPresent(names -> named.put(member, texts(names)));
        });
    return new SubscriptionFilter(kinds, named);
  }

  private static List<String> texts(List<String> names) {
    return names.stream()
        .flatMap(it -> ObjectMembers.of("{\"name\":%s}".formatted(it)).text("name").stream())
        .distinct()
        .toList();
  }

  /** That of it which is about something one source has: kinds of changes are everybody's. */
  public SubscriptionFilter about(BiPredicate<String, String> has) {
    return filtered(kinds, has);
  }

  /** What of it others have agreed to. */
  public SubscriptionFilter agreedBy(List<SubscriptionFilter> others) {
    return filtered(
        kinds.stream().filter(it -> others.stream().anyMatch(by -> by.kinds.contains(it))).toList(),
        (member, name) ->
            others.stream()
                .anyMatch(by -> by.named.getOrDefault(member, List.of()).contains(name)));
  }

  private SubscriptionFilter filtered(List<String> fewer, BiPredicate<String, String> has) {
    Map<String, List<String>> fewerNamed = new TreeMap<>();
    named.forEach((member, names) -> {
      List<String> those = names.stream().filter(name -> has.test(member, name)).toList();
      if (!those.isEmpty()) {
        fewerNamed.put(member, those);
      }
    });
    return new SubscriptionFilter(fewer, fewerNamed);
  }

  /** Whether a member names anything. */
  public boolean names(String member) {
    return named.containsKey(member);
  }

  public boolean isNothing() {
    return kinds.isEmpty() && named.isEmpty();
  }

  /** What says that it was agreed to, to the one who knows it by this id. */
  public byte[] acknowledged(String id) {
    return "{\"jsonrpc\":\"2.0\",\"method\":%s,\"params\":{\"_meta\":{%s:%s},%s:%s}}"
        .formatted(quoted(ACKNOWLEDGED), quoted(SUBSCRIPTION), id, quoted(MEMBER), json())
        .getBytes(UTF_8);
  }

  /** As the text of an object. */
  public String json() {
    StringJoiner all = new StringJoiner(",", "{", "}");
    kinds.forEach(kind -> all.add(quoted(kind) + ":" + WANTED));
    named.forEach((member, names) ->
        all.add(
            quoted(member)
                + names.stream().map(JsonStrings::quoted).collect(joining(",", ":[", "]"))));
    return all.toString();
  }
}
