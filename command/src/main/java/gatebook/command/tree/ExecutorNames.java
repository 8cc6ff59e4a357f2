package gatebook.command.tree;

import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Exposure;
import gatebook.events.fault.TaskFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of executors: of the tools that callers may see, and of a built-in one that collects
 * the results of what a task depends on.
 *
 * <p>A tool is meant by the name with the prefix of its source or, if one source has it, without.
 * Where it is not known what a source lists, it has what it exposes. A name that a source has and
 * hides means no tool of another source.
 */
public final class ExecutorNames {
  public static final String AGGREGATE = "aggregate_results_executor";

  private ExecutorNames() {}

  /** The source that answers for a tool; empty when callers do not see it. */
  public static Optional<Source> source(String tool, Rules rules) {
    return evaluate(tool, rules) instanceof VisibilityResult.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  private static VisibilityResult evaluate(String tool, Rules rules) {
    return VisibilityGate.evaluate(tool, SourceFamily.TOOLS, rules);
  }

  /** What a name means. */
  public static MeantExecutor meant(String executor, Rules rules, ListedTools listed) {
    return meantByWholeName(executor, rules, listed)
        .orElseGet(() -> meantByOwnName(executor, rules, listed));
  }

  /** What a name means that is a tool's whole name; empty when it may be a source's own name. */
  public static Optional<MeantExecutor> meantByWholeName(
      String executor, Rules rules, ListedTools listed) {
    return switch (evaluate(executor, rules)) {
      case VisibilityResult.Shown(var source, _) ->
          listed.lacks(source, source.ownName(executor))
              ? Optional.empty()
              : Optional.of(new MeantExecutor.Tool(executor, source));
      case VisibilityResult.Hidden(_, var source, var pattern) ->
          source != null && hides(source, source.ownName(executor), pattern, listed)
              ? Optional.of(new MeantExecutor.None())
              : Optional.empty();
    };
  }

  /** A source hides what it has and does not expose, and what its rules say that it hides. */
  private static boolean hides(
      Source source, String ownName, @Nullable String pattern, ListedTools listed) {
    return listed.has(source, ownName)
        || (pattern != null
            && source.expose().exposure() == Exposure.BLOCKLIST
            && !listed.lacks(source, ownName));
  }

  private static MeantExecutor meantByOwnName(String name, Rules rules, ListedTools listed) {
    List<MeantExecutor.Tool> having = new ArrayList<>();
    List<MeantExecutor.Tool> exposing = new ArrayList<>();
    for (Source source : prefixed(rules)) {
      String tool = source.prefix() + name;
      switch (evaluate(tool, rules)) {
        case VisibilityResult.Shown(var answering, _) when answering.equals(source) -> {
          if (!listed.lacks(source, name)) {
            (listed.has(source, name) ? having : exposing)
                .add(new MeantExecutor.Tool(tool, source));
          }
        }
        case VisibilityResult.Hidden(_, var answering, var pattern)
            when source.equals(answering) && hides(source, name, pattern, listed) -> {
          return new MeantExecutor.None();
        }
        case VisibilityResult.Shown _, VisibilityResult.Hidden _ -> {
          // another source answers for the name, or this one does not have it
        }
      }
    }
    return one(having.isEmpty() ? exposing : having);
  }

  private static List<Source> prefixed(Rules rules) {
    return rules.sources().stream()
        .filter(source ->
            source.enabled()
                && SourceFamily.TOOLS.includes(source.kind())
                && !source.prefix().isEmpty())
        .toList();
  }

  private static MeantExecutor one(List<MeantExecutor.Tool> tools) {
    return switch (tools.size()) {
      case 0 -> new MeantExecutor.None();
      case 1 -> tools.getFirst();
      default -> new MeantExecutor.Ambiguous(tools.stream().map(MeantExecutor.Tool::name).toList());
    };
  }

  /** The executors of drafts. */
  public static List<String> of(Collection<TaskDraft> drafts) {
    return tools(drafts.stream().map(TaskDraft::executor));
  }

  /** The names among these that may mean tools, each once. */
  public static List<String> tools(Stream<@Nullable String> executors) {
    return executors
        .filter(Objects::nonNull)
        .filter(executor -> !executor.equals(AGGREGATE))
        .distinct()
        .toList();
  }

  /** The faults of executors that mean no tool or several. */
  public static List<TaskFault> faults(
      Collection<String> executors, Rules rules, ListedTools listed) {
    return executors.stream()
        .flatMap(executor -> fault(executor, meant(executor, rules, listed)).stream())
        .toList();
  }

  /** The fault of an executor; empty when it means one tool. */
  public static Optional<TaskFault> fault(String executor, MeantExecutor meant) {
    return switch (meant) {
      case MeantExecutor.Tool _ -> Optional.empty();
      case MeantExecutor.None _ -> Optional.of(new TaskFault.ExecutorNotFound(executor, null));
      case MeantExecutor.Ambiguous(var tools) ->
          Optional.of(new TaskFault.ExecutorNotFound(executor, tools));
    };
  }
}
