package gatebook.command.tree;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

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
   */
  public record Result(List<ReadTask> tasks, Set<String> executing) {
    public Result {
      tasks = List.copyOf(tasks);
      executing = Set.copyOf(executing);
    }
  }
}
