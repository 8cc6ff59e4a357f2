package gatebook.api.flow;

import static java.util.stream.Collectors.toSet;

import gatebook.api.rpc.CheckedMembers;
import gatebook.api.upstream.FutureList;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Checks what drafts of tasks refer to outside themselves: the source of a copy, which its owner
 * must have, and a parent in another tree, which no task has that is created with others.
 */
final class DraftReferences {

  /** More say nothing new. */
  private static final int FAULTS_MAX = 100;

  private static final String OTHER_TREE =
      "It is in another tree: add one task at a time to a tree that exists";

  private final TreeStore treeStore;

  DraftReferences(TreeStore treeStore) {
    this.treeStore = treeStore;
  }

  /** Completed when nothing is wrong; the request ends with all that is. */
  CompletableFuture<Void> check(List<TaskDraft> drafts, FlowContext context) {
    Set<String> ids = drafts.stream().map(TaskDraft::id).collect(toSet());
    Set<String> outside = new HashSet<>();
    drafts.forEach(draft -> {
      original(draft).ifPresent(outside::add);
      parentElsewhere(draft, drafts, ids).ifPresent(outside::add);
    });
    return FutureList.all(
            outside.stream()
                .map(id -> treeStore.find(id, context).thenApply(found -> found.map(_ -> id)))
                .toList())
        .thenAccept(found -> {
          Set<String> present = found.stream().flatMap(Optional::stream).collect(toSet());
          List<TaskFault> faults = new ArrayList<>();
          drafts.stream()
              .flatMap(draft ->
                  Stream.concat(
                      original(draft)
                          .filter(id -> !present.contains(id))
                          .map(_ -> noOriginal(draft))
                          .stream(),
                      parentElsewhere(draft, drafts, ids)
                          .filter(present::contains)
                          .map(parent -> inOtherTree(draft, parent))
                          .stream()))
              .limit(FAULTS_MAX)
              .forEach(faults::add);
          if (!faults.isEmpty()) {
            throw new RefusedRequest(faults);
          }
        });
  }

  private static Optional<String> original(TaskDraft draft) {
    return TaskDefinition.of(draft.definition()).originalTaskId();
  }

  private static Optional<String> parentElsewhere(
      TaskDraft draft, List<TaskDraft> drafts, Set<String> ids) {
    return Optional.ofNullable(draft.parentId())
        .filter(parent -> drafts.size() > 1 && !ids.contains(parent));
  }

  private static TaskFault noOriginal(TaskDraft draft) {
    return new TaskFault.InvalidTaskSchema(
        draft.id(),
        List.of(
            new Problem(
                "original_task_id",
                CheckedMembers.UNKNOWN_VALUE,
                "the id of a task of yours",
                null,
                List.of())));
  }

  private static TaskFault inOtherTree(TaskDraft draft, String parent) {
    return new TaskFault.InvalidParentReference(draft.id(), parent, OTHER_TREE);
  }
}
