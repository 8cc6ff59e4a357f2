package gatebook.command.policy;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known where an expression is evaluated, because what stands before it was true.
 *
 * @param present what a `has` found, as {@link Reads#name} writes it
 * @param tools the only tools it can be; absent where it can be any
 * @param sources the only sources it can be; absent where it can be any
 */
record Facts(Set<String> present, @Nullable Set<String> tools, @Nullable Set<String> sources) {

  static final Facts NONE = new Facts(Set.of(), null, null);

  static Facts present(String name) {
    return new Facts(Set.of(name), null, null);
  }

  static Facts tools(Set<String> tools) {
    return new Facts(Set.of(), tools, null);
  }

  static Facts sources(Set<String> sources) {
    return new Facts(Set.of(), null, sources);
  }

  /** When both hold. */
  Facts and(Facts other) {
    Set<String> both = new HashSet<>(present);
    both.addAll(other.present);
    return new Facts(both, intersection(tools, other.tools), intersection(sources, other.sources));
  }

  /** When either holds. */
  Facts or(Facts other) {
    Set<String> both = new HashSet<>(present);
    both.retainAll(other.present);
    return new Facts(both, union(tools, other.tools), union(sources, other.sources));
  }

  boolean allow(ToolSchema tool) {
    return (tools == null || tools.contains(tool.tool()))
        && (sources == null || sources.contains(tool.source()));
  }

  private static @Nullable Set<String> intersection(
      @Nullable Set<String> a, @Nullable Set<String> b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    Set<String> both = new HashSet<>(a);
    both.retainAll(b);
    return both;
  }

  private static @Nullable Set<String> union(@Nullable Set<String> a, @Nullable Set<String> b) {
    if (a == null || b == null) {
      return null;
    }
    Set<String> both = new HashSet<>(a);
    both.addAll(b);
    return both;
  }
}
