package gatebook.api.flow.read;

import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.events.tree.TreeStatus;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the params of changing a task. */
final class ChangeParams {
  private static final int ERROR_CHARS_MAX = 65_536;
  private static final List<String> TIMES =
      List.of("created_at", "started_at", "updated_at", "completed_at");
  private static final List<String> STATE = List.of("status", "error", "result", "progress");

  private ChangeParams() {}

  static FlowRequest update(RequestParams params, FlowCaller caller, RequestFindings findings) {
    String taskId = params.taskId();
    TaskChanges changes = params.isOfClient() ? flat(params) : nested(params);
    findings.checkUser(
        Optional.ofNullable(changes.content().get("user_id")).flatMap(JsonStrings::text), caller);
    return new FlowRequest.Update(taskId, changes);
  }

  private static TaskChanges nested(RequestParams params) {
    params.members().require("updates", "object");
    Map<String, String> content = new LinkedHashMap<>();
    params.members().inner("updates").members().forEach(content::put);
    return TaskChanges.ofContent(content);
  }

  /** The changes stand beside the id; those of the state are not part of the content. */
  private static TaskChanges flat(RequestParams params) {
    CheckedMembers members = params.members();
    Map<String, String> content = new LinkedHashMap<>();
    members.members().forEach(content::put);
    content.remove(members.has("task_id") ? "task_id" : "id");
    STATE.forEach(content::remove);
    TIMES.forEach(content::remove);
    TIMES.forEach(name -> members.time(name, ScheduleTimes::instant));
    Optional<TreeStatus> status = members.word("status", RequestParams.STATUSES);
    return new TaskChanges(
        content,
        status,
        members.text("error", ERROR_CHARS_MAX),
        members.object("result"),
        members.number("progress", BigDecimal.ZERO, BigDecimal.ONE));
  }
}
