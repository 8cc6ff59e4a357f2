package gatebook.command.tree.execution;

import gatebook.command.tree.OwnersChanges;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Ends the execution of a tree, unless the tree's owner has changed a task that the execution may
 * still have to run. The outcome is whether it has ended.
 *
 * @param blocked the tasks that cannot run
 * @param seen the position in the journal up to which the execution knows the {@link OwnersChanges}
 */
public record EndExecution(
    UUID treeId, UUID executionId, TreeStatus status, List<String> blocked, long seen, Instant at)
    implements TreeExecutionCommand {
  public EndExecution {
    blocked = List.copyOf(blocked);
  }
}
