package gatebook.api.flow.read;

import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.CopyOrigin;
import gatebook.api.rpc.CheckedMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the params of copying a task. */
final class CopyParams {
  private CopyParams() {}

  static FlowRequest copy(
      FlowMethod method,
      FlowParams declared,
      CheckedMembers params,
      FlowCaller caller,
      RequestFindings findings) {
    CopyOrigin origin = params.word(FlowParams.ORIGIN_TYPE, FlowParams.ORIGINS).orElseThrow();
    List<String> linked = FlowParams.ids(params, declared.linkIds);
    if (origin == CopyOrigin.MIXED && linked.isEmpty()) {
      params.require(declared.linkIds, "at least one id when origin_type is mixed");
    }
    CheckedMembers reset = params.inner(FlowParams.RESET_FIELDS);
    Map<String, String> resetFields = new LinkedHashMap<>();
    reset.members().forEach(resetFields::put);
    if (origin == CopyOrigin.ARCHIVE && !resetFields.isEmpty()) {
      params.add(
          FlowParams.RESET_FIELDS, CheckedMembers.WRONG_VALUE, "none when origin_type is archive");
    }
    findings.checkUser(reset.members().text("user_id"), caller);
    return new FlowRequest.Copy(
        params.text(declared.taskId).orElse(""),
        origin,
        params.flag(
            params.has(FlowParams.RECURSIVE)
                ? FlowParams.RECURSIVE
                : FlowParams.copyChildren(method)),
        linked,
        resetFields,
        params.flag(FlowParams.SAVE));
  }
}
