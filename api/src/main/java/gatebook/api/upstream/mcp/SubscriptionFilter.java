package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ObjectMembers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The filter of a subscription: kinds of changes, and named things whose changes are reported.
 *
 * @param kinds in the order in which they were named
 * @param named by the member that names them, without quotes and escapes
 */
public record SubscriptionFilter(List<String> kinds, Map<String, List<String>> named) {

  /** The metadata key for the id of the subscription, in every notification. */
  public static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  /** The member of the params that holds the filter. */
  public static final String MEMBER = "notifications";

  /** The member for tasks. */
  public static final String TASKS = "taskIds";

  /** The member for resources. */
  public static final String RESOURCES = "resourceSubscriptions";

  private static final String TRUE = "true";

  public SubscriptionFilter {
    kinds = List.copyOf(kinds);
    named = Collections.unmodifiableMap(new TreeMap<>(named));
  }

  /** The filter in the params of a request or notification. */
  public static SubscriptionFilter of(ObjectMembers params) {
    List<String> kinds = new ArrayList<>();
    Map<String, List<String>> named = new TreeMap<>();
    params
        .members(MEMBER)
        .forEach((member, value) -> {
          if (value.equals(TRUE)) {
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

  /** The filter with only the names that match; kinds of changes concern every source. */
  public SubscriptionFilter only(BiPredicate<String, String> has) {
    return filtered(kinds, has);
  }

  /** The part of the filter that at least one of the others contains. */
  public SubscriptionFilter agreedBy(List<SubscriptionFilter> others) {
    return filtered(
        kinds.stream().filter(it -> others.stream().anyMatch(by -> by.kinds.contains(it))).toList(),
        (member, name) ->
            others.stream()
                .anyMatch(by -> by.named.getOrDefault(member, List.of()).contains(name)));
  }

  private SubscriptionFilter filtered(List<String> newKinds, BiPredicate<String, String> has) {
    Map<String, List<String>> newNamed = new TreeMap<>();
    named.forEach((member, names) -> {
      List<String> matching = names.stream().filter(name -> has.test(member, name)).toList();
      if (!matching.isEmpty()) {
        newNamed.put(member, matching);
      }
    });
    return new SubscriptionFilter(newKinds, newNamed);
  }

  /** Whether a member is present. */
  public boolean hasMember(String member) {
    return named.containsKey(member);
  }

  public boolean isEmpty() {
    return kinds.isEmpty() && named.isEmpty();
  }

  /** The acknowledgement of this filter for the subscription with this id. */
  public byte[] acknowledgement(String id) {
    return MessageWriter.notification(
        McpMethod.NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED,
        "{\"_meta\":{%s:%s},%s:%s}".formatted(quoted(SUBSCRIPTION), id, quoted(MEMBER), json()));
  }

  /** As the text of an object. */
  public String json() {
    StringJoiner all = new StringJoiner(",", "{", "}");
    kinds.forEach(kind -> all.add(quoted(kind) + ":" + TRUE));
    named.forEach((member, names) ->
        all.add(
            quoted(member)
                + names.stream().map(JsonStrings::quoted).collect(joining(",", ":[", "]"))));
    return all.toString();
  }
}
