package gatebook.command.policy.check;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts that hold where an expression is evaluated, implied by the conditions before it.
 *
 * @param present paths that a {@code has} found, as {@link AttributeReads#inCedar} writes them
 * @param tools the only tools the call can be for; null when any
 * @param sources the only sources the call can be for; null when any
 */
record EvaluationFacts(
    Set<String> present, @Nullable Set<String> tools, @Nullable Set<String> sources) {

  static final EvaluationFacts NONE = new EvaluationFacts(Set.of(), null, null);

  static EvaluationFacts present(String name) {
    return new EvaluationFacts(Set.of(name), null, null);
  }

  static EvaluationFacts tools(Set<String> tools) {
    return new EvaluationFacts(Set.of(), tools, null);
  }

  static EvaluationFacts sources(Set<String> sources) {
    return new EvaluationFacts(Set.of(), null, sources);
  }

  /** The facts when both hold. */
  EvaluationFacts and(EvaluationFacts other) {
    Set<String> both = new HashSet<>(present);
    both.addAll(other.present);
    return new EvaluationFacts(
        both, intersection(tools, other.tools), intersection(sources, other.sources));
  }

  /** The facts when at least one of the two holds. */
  EvaluationFacts or(EvaluationFacts other) {
    Set<String> both = new HashSet<>(present);
    both.retainAll(other.present);
    return new EvaluationFacts(both, union(tools, other.tools), union(sources, other.sources));
  }

  boolean allows(ToolSchema tool) {
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
