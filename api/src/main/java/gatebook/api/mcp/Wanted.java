package gatebook.api.mcp;

import static gatebook.api.rpc.Quoted.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.Elements;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Quoted;
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
record Wanted(List<String> kinds, Map<String, List<String>> named) {

  static final String MEMBER = "notifications";
  static final String TASKS = "taskIds";

  private static final String WANTED = "true";

  Wanted {
    kinds = List.copyOf(kinds);
    named = Collections.unmodifiableMap(new TreeMap<>(named));
  }

  /** What the params of a method or of a notification say. */
  static Wanted of(Members params) {
    List<String> kinds = new ArrayList<>();
    Map<String, List<String>> named = new TreeMap<>();
    params
        .members(MEMBER)
        .forEach((member, value) -> {
          if (value.equals(WANTED)) {
            kinds.add(member);
          }
          Elements.of(value).ifPresent(names -> named.put(member, texts(names)));
        });
    return new Wanted(kinds, named);
  }

  private static List<String> texts(List<String> names) {
    return names.stream()
        .flatMap(it -> Members.of("{\"name\":%s}".formatted(it)).text("name").stream())
        .distinct()
        .toList();
  }

  /** That of it which is about something one source has: kinds of changes are everybody's. */
  Wanted about(BiPredicate<String, String> has) {
    return filtered(kinds, has);
  }

  /** What of it others have agreed to. */
  Wanted agreedBy(List<Wanted> others) {
    return filtered(
        kinds.stream().filter(it -> others.stream().anyMatch(by -> by.kinds.contains(it))).toList(),
        (member, name) ->
            others.stream()
                .anyMatch(by -> by.named.getOrDefault(member, List.of()).contains(name)));
  }

  private Wanted filtered(List<String> fewer, BiPredicate<String, String> has) {
    Map<String, List<String>> fewerNamed = new TreeMap<>();
    named.forEach((member, names) -> {
      List<String> those = names.stream().filter(name -> has.test(member, name)).toList();
      if (!those.isEmpty()) {
        fewerNamed.put(member, those);
      }
    });
    return new Wanted(fewer, fewerNamed);
  }

  /** Whether a member names anything. */
  boolean names(String member) {
    return named.containsKey(member);
  }

  boolean isNothing() {
    return kinds.isEmpty() && named.isEmpty();
  }

  /** As the text of an object. */
  String json() {
    StringJoiner all = new StringJoiner(",", "{", "}");
    kinds.forEach(kind -> all.add(quoted(kind) + ":" + WANTED));
    named.forEach((member, names) ->
        all.add(
            quoted(member) + names.stream().map(Quoted::quoted).collect(joining(",", ":[", "]"))));
    return all.toString();
  }
}
