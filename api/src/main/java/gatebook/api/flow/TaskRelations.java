package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** How tasks relate to other tasks: what a task alone does not show. */
public interface TaskRelations {

  TaskRelations NONE = of(Set.of(), Set.of());

  boolean hasChildren(String taskId);

  /** Whether another task was made from it. */
  boolean hasReferences(String taskId);

  static TaskRelations of(Set<String> parents, Set<String> sources) {
    Set<String> withChildren = Set.copyOf(parents);
    Set<String> withReferences = Set.copyOf(sources);
    return new TaskRelations() {
      @Override
      public boolean hasChildren(String taskId) {
        return withChildren.contains(taskId);
      }

      @Override
      public boolean hasReferences(String taskId) {
        return withReferences.contains(taskId);
      }
    };
  }

  /**
   * The relations within some tasks: the children among them are known, references to sources in
   * other trees are not.
   */
  static TaskRelations within(Collection<ReadTask> tasks) {
    Set<String> sources = new HashSet<>();
    tasks.forEach(task -> {
      String definition = task.definition();
      if (definition != null) {
        TaskDefinition.of(definition).originalTaskId().ifPresent(sources::add);
      }
    });
    return of(
        tasks.stream()
            .map(TaskRelations::parentId)
            .flatMap(Optional::stream)
            .collect(Collectors.toSet()),
        sources);
  }

  private static Optional<String> parentId(ReadTask task) {
    return Optional.ofNullable(task.task().parentId());
  }
}
