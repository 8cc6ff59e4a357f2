package gatebook.api.a2a;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.call.TaskId;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An alias of an agent's task: the id that it had here while its message was held. The caller goes
 * on with that id, and the agent knows its own.
 *
 * @param agentId the agent's own
 */
record TaskAlias(VersionedMethod method, String id, String agentId) {
  private static final String ID = "id";
  private static final String TASK_ID = "taskId";
  private static final String MESSAGE = "message";

  /** The id of a held message that a request names as its task; empty when it names none. */
  static Optional<TaskId> named(A2aRequest request) {
    return request.aboutTask().flatMap(TaskId::parse);
  }

  /** The call with the agent's id. */
  Call toAgent(Call call) {
    boolean isMessage = method.method() == A2aMethod.SEND || method.method() == A2aMethod.STREAM;
    String params =
        MemberSplice.with(
            Optional.ofNullable(call.params()).orElse("{}"),
            isMessage ? List.of(MESSAGE, TASK_ID) : List.of(ID),
            quoted(agentId));
    return new Call(call.id(), call.method(), params, call.notification(), call.headers());
  }

  /** The response with the caller's id. */
  Response toCaller(Response response) {
    return switch (response) {
      case Ended.Result result -> result.withJson(toCaller(result.json()));
      case Ended.Streamed(var last, boolean lastSent, boolean toolError, var stream) ->
          new Ended.Streamed(toCaller(last), lastSent, toolError, stream);
      case Ended.Failure(TaskNotFound _) -> new Ended.Failure(new TaskNotFound(id));
      case Ended.Failure(TaskNotCancelable(_, var current)) ->
          new Ended.Failure(new TaskNotCancelable(id, current));
      case Response other -> other;
    };
  }

  /** An answer or an item of a stream with the caller's id. */
  String toCaller(String json) {
    return Stream.of(
            List.of(ID),
            List.of(TASK_ID),
            List.of("task", ID),
            List.of(MESSAGE, TASK_ID),
            List.of("statusUpdate", TASK_ID),
            List.of("artifactUpdate", TASK_ID))
        .filter(path -> isAgentId(json, path))
        .reduce(
            json, (renamed, path) -> MemberSplice.with(renamed, path, quoted(id)), (_, it) -> it);
  }

  private boolean isAgentId(String json, List<String> path) {
    ObjectMembers members = ObjectMembers.of(json);
    return (path.size() == 1 ? members : members.members(path.getFirst()))
        .text(path.getLast())
        .filter(agentId::equals)
        .isPresent();
  }
}
