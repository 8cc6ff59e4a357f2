package gatebook.api.wrap;

import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.Elements;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Splicing;
import gatebook.command.gate.Family;
import gatebook.command.gate.Visibility;
import gatebook.command.gate.Visibility.Sight;
import gatebook.command.rules.Rules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server's lists without what gate 1 hides. */
final class Shown {

  /** By the method that lists: what the list is called, and by what its items are named. */
  private static final Map<String, Items> LISTS =
      Map.of(
          "tools/list", new Items("tools", "name"),
          "prompts/list", new Items("prompts", "name"),
          "resources/list", new Items("resources", "uri"),
          "resources/templates/list", new Items("resourceTemplates", "uriTemplate"));

  private record Items(String list, String name) {}

  private Shown() {}

  /** The result of a method; where nothing is hidden, as it came. What has no name is hidden. */
  static String of(String method, String result, Rules rules) {
    Items items = LISTS.get(method);
    Optional<List<String>> all = items == null ? Optional.empty() : elements(result, items);
    return all.isEmpty() || items == null ? result : shown(result, items, all.get(), rules);
  }

  private static String shown(String result, Items items, List<String> all, Rules rules) {
    List<String> shown = all.stream().filter(item -> isShown(item, items.name, rules)).toList();
    return shown.size() == all.size()
        ? result
        : Splicing.with(
            result, List.of(items.list), shown.stream().collect(joining(",", "[", "]")));
  }

  private static Optional<List<String>> elements(@Nullable String result, Items items) {
    return Members.of(result).json(items.list).flatMap(Elements::of);
  }

  private static boolean isShown(String item, String name, Rules rules) {
    return Members.of(item)
        .text(name)
        .filter(it -> Visibility.of(it, Family.TOOLS, rules) instanceof Sight.Shown)
        .isPresent();
  }
}
