package gatebook.api.flow;

import static java.util.stream.Collectors.toSet;

import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonType;
import gatebook.api.upstream.FutureList;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Checks the references of drafts to other tasks. The source of a copy must be a task of the owner;
 * only a task that is created alone may have a parent in another tree.
 */
final class DraftReferences {

  /** The most faults that are reported. */
  private static final int FAULTS_MAX = 100;

  private static final String OTHER_TREE =
      "It is in another tree: add one task at a time to a tree that exists";

  private final TreeStore treeStore;

  DraftReferences(TreeStore treeStore) {
    this.treeStore = treeStore;
  }

  /**
   * A reference of a draft to a task that is no draft.
   *
   * @param mustBeThere whether the owner must have the task, or must not
   * @param fault of the draft otherwise
   */
  private record Reference(String id, boolean mustBeThere, TaskFault fault) {}

  /** Completed when nothing is wrong; the request ends with all that is. */
  CompletableFuture<Void> check(List<TaskDraft> drafts, FlowContext context) {
    Set<String> ids = drafts.stream().map(TaskDraft::id).collect(toSet());
    List<Reference> references =
        drafts.stream().flatMap(draft -> references(draft, drafts.size() > 1, ids)).toList();
    return FutureList.all(
            references.stream()
                .map(Reference::id)
                .distinct()
                .map(id -> treeStore.find(id, context).thenApply(found -> found.map(_ -> id)))
                .toList())
        .thenAccept(found -> {
          Set<String> present = found.stream().flatMap(Optional::stream).collect(toSet());
          List<TaskFault> faults =
              references.stream()
                  .filter(it -> it.mustBeThere != present.contains(it.id))
                  .map(Reference::fault)
                  .limit(FAULTS_MAX)
                  .toList();
          if (!faults.isEmpty()) {
            throw new RefusedRequest(faults);
          }
        });
  }

  private static Stream<Reference> references(
      TaskDraft draft, boolean isOneOfSeveral, Set<String> ids) {
    return Stream.concat(
        TaskDefinition.of(draft.definition())
            .originalTaskId()
            .map(id -> new Reference(id, true, noOriginal(draft)))
            .stream(),
        Optional.ofNullable(draft.parentId())
            .filter(parent -> isOneOfSeveral && !ids.contains(parent))
            .map(parent -> new Reference(parent, false, inOtherTree(draft, parent)))
            .stream());
  }

  private static TaskFault noOriginal(TaskDraft draft) {
    return new TaskFault.InvalidTaskSchema(
        draft.id(),
        List.of(
            new Problem(
                "original_task_id",
                CheckedMembers.UNKNOWN_VALUE,
                "the id of a task of yours",
                JsonType.STRING,
                List.of())));
  }

  private static TaskFault inOtherTree(TaskDraft draft, String parent) {
    return new TaskFault.InvalidParentReference(draft.id(), parent, OTHER_TREE);
  }
}
