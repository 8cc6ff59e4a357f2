package gatebook.command.tree;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TreeStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks the sources of copies, links and archives: only what is completed is linked. */
public final class CopySources {
  /** The most problems that are reported, since each is stored and sent. */
  static final int FAULTS_MAX = 100;

  private CopySources() {}

  /**
   * The faults of copies whose sources are in a tree.
   *
   * @param requiresWhole whether all tasks of the tree must be completed, not only linked ones
   */
  public static List<TaskFault> faults(
      List<TaskCopy> copies, boolean requiresWhole, Collection<TreeTask> tree) {
    Map<String, TreeTask> byId =
        tree.stream().collect(Collectors.toMap(TreeTask::id, Function.identity()));
    List<TaskFault> missing =
        missing(copies.stream().map(TaskCopy::sourceId).toList(), byId.keySet());
    return missing.isEmpty() ? incomplete(requiresWhole ? tree : linked(copies, byId)) : missing;
  }

  static List<TaskFault> missing(List<String> ids, Collection<String> present) {
    return ids.stream()
        .filter(id -> !present.contains(id))
        .limit(FAULTS_MAX)
        .<TaskFault>map(TaskFault.TaskNotFound::new)
        .toList();
  }

  private static List<TreeTask> linked(List<TaskCopy> copies, Map<String, TreeTask> byId) {
    return copies.stream()
        .filter(TaskCopy::isLink)
        .flatMap(copy -> Optional.ofNullable(byId.get(copy.sourceId())).stream())
        .toList();
  }

  /** The faults of tasks that must be completed. */
  public static List<TaskFault> incomplete(Collection<TreeTask> tasks) {
    return tasks.stream()
        .filter(task -> task.status() != TreeStatus.COMPLETED)
        .limit(FAULTS_MAX)
        .<TaskFault>map(CopySources::incomplete)
        .toList();
  }

  private static TaskFault incomplete(TreeTask task) {
    return new TaskFault.InvalidTaskSchema(
        task.id(),
        List.of(
            new Problem(
                "origin_type",
                "Only completed tasks can be linked or archived",
                TreeStatus.COMPLETED.word(),
                JsonValue.parse("\"%s\"".formatted(task.status().word())),
                List.of())));
  }
}
