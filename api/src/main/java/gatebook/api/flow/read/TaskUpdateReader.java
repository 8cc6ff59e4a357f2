package gatebook.api.flow.read;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.MergedObject;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.Fault;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads what a task becomes by changes of its content. */
final class TaskUpdateReader {

  private final TaskFieldsReader fieldsReader;

  TaskUpdateReader(TaskFieldsReader fieldsReader) {
    this.fieldsReader = fieldsReader;
  }

  TaskUpdate updated(ReadTask stored, TaskChanges changes, FlowCaller caller) {
    String taskId = stored.id();
    String before = TaskDefinition.jsonOf(stored);
    String json = MergedObject.of(before, changes.content());
    CheckedMembers task = fieldsReader.members(json, "");
    RequestFindings findings = new RequestFindings();
    findings.checkUser(task.members().text("user_id"), caller);
    TaskFields fields = fieldsReader.read(json, task);
    checkFixed(stored, ObjectMembers.of(before), changes.content(), task);
    findings.addTask(taskId, task.problems());
    Optional<Fault> fault = findings.fault();
    return fault.isPresent()
        ? new TaskUpdate.NotChanged(fault.get())
        : new TaskUpdate.Changed(placed(fields, stored));
  }

  /** Where a task stands and whose it is never changes. */
  private static void checkFixed(
      ReadTask stored, ObjectMembers before, Map<String, String> changed, CheckedMembers task) {
    checkFixed("id", quoted(stored.id()), changed, task);
    checkFixed("parent_id", parent(stored), changed, task);
    checkFixed("user_id", before.json("user_id").orElse("null"), changed, task);
  }

  private static void checkFixed(
      String name, String before, Map<String, String> changed, CheckedMembers task) {
    if (!isSame(changed.getOrDefault(name, before), before)) {
      task.add(name, "Cannot be changed", null);
    }
  }

  private static String parent(ReadTask stored) {
    String parentId = stored.task().parentId();
    return parentId == null ? "null" : quoted(parentId);
  }

  private static boolean isSame(String one, String other) {
    return JsonStrings.text(one).equals(JsonStrings.text(other));
  }

  private static TaskDraft placed(TaskFields fields, ReadTask stored) {
    TaskDraft draft = TaskListReader.draft(fields, UnaryOperator.identity());
    return new TaskDraft(
        stored.id(),
        stored.task().parentId(),
        draft.name(),
        draft.executor(),
        draft.priority(),
        draft.dependencies(),
        draft.definition(),
        draft.inputs());
  }
}
