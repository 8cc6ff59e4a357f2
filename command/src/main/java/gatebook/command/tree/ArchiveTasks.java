package gatebook.command.tree;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Archives tasks of a tree all of whose tasks are completed: they never change again.
 *
 * @param callId the call that asks for it
 */
public record ArchiveTasks(UUID treeId, String owner, List<String> taskIds, UUID callId, Instant at)
    implements TreeCommand {
  public ArchiveTasks {
    taskIds = List.copyOf(taskIds);
  }
}
