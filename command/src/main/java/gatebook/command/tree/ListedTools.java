package gatebook.command.tree;

import gatebook.command.rules.Source;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The tools that sources list, among those that executors may name: the facts for decisions about
 * executors.
 *
 * @param bySource the sources' own names of tools by the ids of the sources; a source that was not
 *     asked, or could not be, has no entry
 */
public record ListedTools(Map<String, Set<String>> bySource) {

  /** No source was asked. */
  public static final ListedTools NONE = new ListedTools(Map.of());

  public ListedTools {
    bySource = Map.copyOf(bySource);
  }

  /** The tools of one source, as far as they are among those that the executors may mean. */
  public static ListedTools of(
      Source source, Collection<String> tools, Collection<String> executors) {
    Set<String> meant = new HashSet<>();
    tools.stream()
        .filter(tool -> executors.contains(tool) || executors.contains(source.prefix() + tool))
        .forEach(meant::add);
    return new ListedTools(Map.of(source.id(), Set.copyOf(meant)));
  }

  /** These and others. */
  public ListedTools and(ListedTools others) {
    Map<String, Set<String>> all = new HashMap<>(bySource);
    all.putAll(others.bySource);
    return new ListedTools(all);
  }

  /** Whether it is known that a source has a tool. */
  boolean has(Source source, String ownName) {
    return bySource.getOrDefault(source.id(), Set.of()).contains(ownName);
  }

  /** Whether it is known that a source does not have a tool. */
  boolean lacks(Source source, String ownName) {
    return bySource.containsKey(source.id()) && !has(source, ownName);
  }
}
