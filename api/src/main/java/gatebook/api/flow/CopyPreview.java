package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TaskContent;
import java.time.Instant;
import java.util.UUID;

/**
 * A preview of copies and archives that are not stored: tasks as they would be read afterwards.
 *
 * @param treeId of the tree in which the copies would be
 */
record CopyPreview(UUID treeId, Instant at) {

  ReadTask of(TaskCopy copy, TreeTask source) {
    TaskDraft draft = copy.draft();
    TreeTask task =
        TreeTask.created(
            treeId,
            new TaskKey(source.key().owner(), draft.id()),
            draft.parentId(),
            content(draft, source),
            at);
    return new ReadTask(
        copy.isLink() ? task.linkedTo(source.linkTarget(), at) : task, draft.definition(), null);
  }

  /** The preview seals nothing: it shows the sealed values of the source, which stay sealed. */
  private static TaskContent content(TaskDraft draft, TreeTask source) {
    return new TaskContent(
        draft.name(),
        draft.executor(),
        draft.priority(),
        draft.dependencies(),
        null,
        source.content().definition());
  }

  static ReadTask archived(ReadTask read, Instant at) {
    return new ReadTask(
        read.task().origin().archived() ? read.task() : read.task().archived(at),
        read.definition(),
        read.result());
  }
}
