package gatebook.command.tree;

import gatebook.events.call.Correlation;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;
import org.jspecify.annotations.Nullable;

/**
 * Gets all tasks of a tree for its owner.
 *
 * @param rulesHash of the rules in force
 */
public record GetTree(@TargetEntityId UUID treeId, String owner, String rulesHash) {

  /**
   * What was found.
   *
   * @param tasks in the order of their creation; none when the owner has no such tree
   * @param executing the ids of the tasks that the running execution is about
   * @param correlation of the running execution and the calls of its tasks; absent when none runs,
   *     and for one of an older version
   */
  public record Result(
      List<ReadTask> tasks, Set<String> executing, @Nullable Correlation correlation) {
    public Result {
      tasks = List.copyOf(tasks);
      executing = Set.copyOf(executing);
    }
  }
}
