package gatebook.api.flow.read;

import gatebook.api.flow.task.MergedObject;
import gatebook.api.flow.task.StoredDefinition;
import gatebook.api.rpc.CheckedMembers;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import java.util.Map;

/** Reads what the copy of a task becomes by its definition, in which members may be reset. */
final class TaskCopyReader {
  private final TaskFieldsReader fieldsReader;
  private final RequestFindings findings;

  TaskCopyReader(TaskFieldsReader fieldsReader, RequestFindings findings) {
    this.fieldsReader = fieldsReader;
    this.findings = findings;
  }

  TaskCopy read(TaskCopy copy) {
    TaskDraft draft = copy.draft();
    String json = draft.definition();
    CheckedMembers task = fieldsReader.members(copy.isLink() ? withoutLink(json) : json, "");
    TaskFields fields = fieldsReader.read(json, task);
    findings.addTask(copy.sourceId(), task.problems());
    return new TaskCopy(
        copy.sourceId(),
        new TaskDraft(
            draft.id(),
            draft.parentId(),
            fields.name(),
            fields.executor(),
            fields.priority(),
            draft.dependencies(),
            StoredDefinition.of(json),
            fields.inputs()),
        copy.isLink());
  }

  /** Owners may not write that a task is a link. */
  private static String withoutLink(String json) {
    return MergedObject.of(json, Map.of("origin_type", "\"copy\""));
  }
}
