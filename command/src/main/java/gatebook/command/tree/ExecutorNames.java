package gatebook.command.tree;

import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.TaskFault;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The names of executors: of the tools that callers may see, and of a built-in one that collects
 * the results of what a task depends on.
 */
public final class ExecutorNames {
  public static final String AGGREGATE = "aggregate_results_executor";

  private ExecutorNames() {}

  /** The visible tool that a name means, with its prefix or by its source's own name. */
  public static Optional<String> tool(String executor, Rules rules) {
    if (source(executor, rules).isPresent()) {
      return Optional.of(executor);
    }
    List<String> prefixed =
        rules.sources().stream()
            .map(Source::prefix)
            .filter(prefix -> !prefix.isEmpty())
            .map(prefix -> prefix + executor)
            .filter(name -> source(name, rules).isPresent())
            .distinct()
            .toList();
    return prefixed.size() == 1 ? Optional.of(prefixed.getFirst()) : Optional.empty();
  }

  /** The source that answers for a tool; empty when callers do not see it. */
  public static Optional<Source> source(String tool, Rules rules) {
    return VisibilityGate.evaluate(tool, SourceFamily.TOOLS, rules)
            instanceof VisibilityResult.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  /** The faults of drafts whose executors callers do not see, one for each name. */
  public static List<TaskFault> faults(Collection<TaskDraft> drafts, Rules rules) {
    return drafts.stream()
        .map(TaskDraft::executor)
        .filter(Objects::nonNull)
        .distinct()
        .filter(executor -> !executor.equals(AGGREGATE) && tool(executor, rules).isEmpty())
        .<TaskFault>map(TaskFault.ExecutorNotFound::new)
        .toList();
  }
}
