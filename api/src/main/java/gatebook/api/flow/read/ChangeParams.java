package gatebook.api.flow.read;

import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the params of changing a task. */
final class ChangeParams {
  private ChangeParams() {}

  static FlowRequest update(
      FlowParams declared, CheckedMembers params, FlowCaller caller, RequestFindings findings) {
    TaskChanges changes = declared.isOfClient ? flat(declared, params) : nested(params);
    findings.checkUser(
        Optional.ofNullable(changes.content().get("user_id")).flatMap(JsonStrings::text), caller);
    return new FlowRequest.Update(params.text(declared.taskId).orElse(""), changes);
  }

  private static TaskChanges nested(CheckedMembers params) {
    Map<String, String> content = new LinkedHashMap<>();
    params.inner(FlowParams.UPDATES).members().forEach(content::put);
    return TaskChanges.ofContent(content);
  }

  /** The changes stand beside the id; those of the state are not part of the content. */
  private static TaskChanges flat(FlowParams declared, CheckedMembers params) {
    Map<String, String> content = new LinkedHashMap<>();
    params.members().forEach(content::put);
    content.remove(params.has(declared.storedTask) ? "task_id" : "id");
    FlowParams.STATE.forEach(member -> content.remove(member.name()));
    return new TaskChanges(
        content,
        params.word(FlowParams.NEW_STATUS, FlowParams.STATUSES),
        params.text(FlowParams.NEW_ERROR),
        params.json(FlowParams.NEW_RESULT),
        params.decimal(FlowParams.NEW_PROGRESS));
  }
}
