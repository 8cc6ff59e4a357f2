package gatebook.api.flow.read;

import static java.util.stream.Collectors.toMap;

import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.CopyOrigin;
import gatebook.api.rpc.CheckedMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads the params of copying a task. */
final class CopyParams {
  private static final Map<String, CopyOrigin> ORIGINS =
      Stream.of(CopyOrigin.values()).collect(toMap(CopyOrigin::word, Function.identity()));

  private CopyParams() {}

  /**
   * @param recursiveByDefault whether the children are copied, too, unless the request says so
   */
  static FlowRequest copy(
      RequestParams params,
      boolean recursiveByDefault,
      FlowCaller caller,
      RequestFindings findings) {
    CopyOrigin origin = params.members().word("origin_type", ORIGINS).orElse(CopyOrigin.COPY);
    List<String> linked = params.optionalIds("link_task_ids");
    if (origin == CopyOrigin.MIXED && linked.isEmpty()) {
      params.members().require("link_task_ids", "at least one id when origin_type is mixed");
    }
    boolean copiesChildren = params.flag("copy_children", recursiveByDefault);
    CheckedMembers reset = params.members().inner("reset_fields");
    Map<String, String> resetFields = new LinkedHashMap<>();
    reset.members().forEach(resetFields::put);
    if (origin == CopyOrigin.ARCHIVE && !resetFields.isEmpty()) {
      params.add("reset_fields", CheckedMembers.WRONG_VALUE, "none when origin_type is archive");
    }
    findings.checkUser(reset.members().text("user_id"), caller);
    return new FlowRequest.Copy(
        params.taskId(),
        origin,
        params.flag("recursive", copiesChildren),
        linked,
        resetFields,
        params.flag("save", true));
  }
}
