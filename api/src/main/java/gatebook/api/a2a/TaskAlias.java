package gatebook.api.a2a;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.AgentTaskOwners.AnsweredTask;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.rpc.ArrayElements;
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
 * An alias of an agent's task: the id and the context that it had here while its message was held.
 * The caller goes on with these, and the agent knows its own.
 *
 * @param task the agent's own
 */
record TaskAlias(VersionedMethod method, String id, AnsweredTask task) {
  private static final String ID = "id";
  private static final String TASK_ID = "taskId";
  private static final String CONTEXT_ID = "contextId";
  private static final String MESSAGE = "message";
  private static final String STATUS = "status";
  private static final String HISTORY = "history";
  private static final List<String> WRAPPERS =
      List.of("task", MESSAGE, "statusUpdate", "artifactUpdate");

  /** The id of a held message that a request names as its task; empty when it names none. */
  static Optional<TaskId> named(A2aRequest request) {
    return request.aboutTask().flatMap(TaskId::parse);
  }

  /** The call with the agent's ids. */
  Call toAgent(Call call) {
    boolean isMessage = method.method() == A2aMethod.SEND || method.method() == A2aMethod.STREAM;
    String params =
        MemberSplice.with(
            Optional.ofNullable(call.params()).orElse("{}"),
            isMessage ? List.of(MESSAGE, TASK_ID) : List.of(ID),
            quoted(task.agentId()));
    return new Call(
        call.id(),
        call.method(),
        isMessage ? withAgentContext(params) : params,
        call.notification(),
        call.headers());
  }

  private String withAgentContext(String params) {
    ObjectMembers message = ObjectMembers.of(params).members(MESSAGE);
    return Stream.of(CONTEXT_ID, "context_id")
        .filter(name -> message.text(name).filter(task.heldContext()::equals).isPresent())
        .reduce(
            params,
            (mapped, name) -> {
              List<String> path = List.of(MESSAGE, name);
              return task.agentContext() == null
                  ? MemberSplice.without(mapped, path)
                  : MemberSplice.with(mapped, path, quoted(task.agentContext()));
            },
            (_, it) -> it);
  }

  /** The response with the caller's ids. */
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

  /** An answer or an item of a stream with the caller's ids, wherever it names the task. */
  String toCaller(String json) {
    ObjectMembers answer = ObjectMembers.of(json);
    return WRAPPERS.stream()
        .filter(wrapper -> answer.json(wrapper).filter(it -> it.startsWith("{")).isPresent())
        .reduce(
            renamed(json),
            (mapped, wrapper) ->
                MemberSplice.with(
                    mapped, List.of(wrapper), renamed(answer.json(wrapper).orElseThrow())),
            (_, it) -> it);
  }

  /** A task, a message or an update with the caller's ids, and so the messages in it. */
  private String renamed(String json) {
    String mapped = withIds(json);
    ObjectMembers members = ObjectMembers.of(mapped);
    Optional<String> said = members.members(STATUS).json(MESSAGE);
    if (said.isPresent()) {
      mapped = MemberSplice.with(mapped, List.of(STATUS, MESSAGE), withIds(said.get()));
    }
    Optional<List<String>> history = members.json(HISTORY).flatMap(ArrayElements::of);
    return history.isPresent()
        ? MemberSplice.with(
            mapped,
            List.of(HISTORY),
            history.get().stream().map(this::withIds).collect(joining(",", "[", "]")))
        : mapped;
  }

  private String withIds(String json) {
    String renamed = with(json, ID, task.agentId(), id);
    renamed = with(renamed, TASK_ID, task.agentId(), id);
    return task.agentContext() == null
        ? renamed
        : with(renamed, CONTEXT_ID, task.agentContext(), task.heldContext());
  }

  private static String with(String json, String name, String from, String to) {
    return ObjectMembers.of(json).text(name).filter(from::equals).isPresent()
        ? MemberSplice.with(json, List.of(name), quoted(to))
        : json;
  }
}
