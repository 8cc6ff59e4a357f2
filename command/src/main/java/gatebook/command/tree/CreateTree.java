package gatebook.command.tree;

import gatebook.command.tree.TakenTaskIds.WantedIds;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Creates a tree of tasks.
 *
 * @param callId the call that asks for it
 * @param rulesHash of the rules in force
 * @param listedTools of the executors of the tasks
 */
public record CreateTree(
    UUID treeId,
    String owner,
    List<TaskDraft> drafts,
    UUID callId,
    Instant at,
    String rulesHash,
    ListedTools listedTools) {
  public CreateTree {
    drafts = List.copyOf(drafts);
  }

  /** The ids that must not be taken. */
  @TargetEntityId
  WantedIds wantedIds() {
    return new WantedIds(owner, drafts.stream().map(TaskDraft::id).toList());
  }
}
