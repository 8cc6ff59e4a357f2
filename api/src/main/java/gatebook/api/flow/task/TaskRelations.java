package gatebook.api.flow.task;

import gatebook.command.tree.ReadTask;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The relations of tasks to other tasks, which a task alone does not show. */
public interface TaskRelations {

  TaskRelations NONE = of(Set.of());

  boolean hasChildren(String taskId);

  static TaskRelations of(Set<String> parents) {
    return Set.copyOf(parents)::contains;
  }

  /** The id of the root among some tasks; {@code otherwise} when it is not among them. */
  static String rootId(Collection<ReadTask> tasks, String otherwise) {
    return tasks.stream()
        .filter(task -> task.task().parentId() == null)
        .map(ReadTask::id)
        .findFirst()
        .orElse(otherwise);
  }

  /** The relations within some tasks: the children among them are known. */
  static TaskRelations within(Collection<ReadTask> tasks) {
    return of(
        tasks.stream()
            .map(task -> Optional.ofNullable(task.task().parentId()))
            .flatMap(Optional::stream)
            .collect(Collectors.toSet()));
  }
}
