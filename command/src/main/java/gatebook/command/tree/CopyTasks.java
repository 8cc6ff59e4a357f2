package gatebook.command.tree;

import gatebook.command.tree.TakenTaskIds.WantedIds;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Copies tasks of a tree, or links to them, into a tree of their own.
 *
 * @param treeId of the sources
 * @param newTreeId of the copies
 * @param requiresWhole whether all tasks of the sources' tree must be completed, not only those
 *     that are linked
 * @param callId the call that asks for it
 * @param rulesHash of the rules in force
 * @param listedTools of the executors of the copies
 */
public record CopyTasks(
    UUID treeId,
    UUID newTreeId,
    String owner,
    List<TaskCopy> copies,
    boolean requiresWhole,
    UUID callId,
    Instant at,
    String rulesHash,
    ListedTools listedTools)
    implements TreeCommand {
  public CopyTasks {
    copies = List.copyOf(copies);
  }

  /** The property of the ids that must not be taken, by any task of the owner. */
  public static final String WANTED_IDS = "wantedIds";

  public WantedIds wantedIds() {
    return new WantedIds(owner, drafts().stream().map(TaskDraft::id).toList());
  }

  List<TaskDraft> drafts() {
    return copies.stream().map(TaskCopy::draft).toList();
  }
}
