package gatebook.command.policy;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known where an expression is evaluated, because what stands before it was true.
 *
 * @param present what a `has` found, as {@link AttributeReads#name} writes it
 * @param tools the only tools it can be; absent where it can be any
 * @param sources the only sources it can be; absent where it can be any
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

  /** When both hold. */
  EvaluationFacts and(EvaluationFacts other) {
    Set<String> both = new HashSet<>(present);
    both.addAll(other.present);
    return new EvaluationFacts(
        both, intersection(tools, other.tools), intersection(sources, other.sources));
  }

  /** When either holds. */
  EvaluationFacts or(EvaluationFacts other) {
    Set<String> both = new HashSet<>(present);
    both.retainAll(other.present);
    return new EvaluationFacts(both, union(tools, other.tools), union(sources, other.sources));
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
