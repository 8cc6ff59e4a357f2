package gatebook.command.tree;

import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Ends the execution of a tree.
 *
 * @param blocked the tasks that cannot run
 */
public record EndExecution(
    UUID treeId, UUID executionId, TreeStatus status, List<String> blocked, Instant at)
    implements TreeExecutionCommand {
  public EndExecution {
    blocked = List.copyOf(blocked);
  }
}
