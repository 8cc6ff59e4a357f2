package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.CallOutcome.Answered;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ids of the task and the context in an agent's answer, where callers of its version find
 * them: members that only the other version has mean nothing.
 */
public final class AgentAnswerIds {
  private static final String ID = "id";

  private final String source;
  private final A2aVersion version;
  private final boolean isBare;

  /** The ids in the answers to a method, in its version. */
  public AgentAnswerIds(String source, VersionedMethod method) {
    this.source = source;
    this.version = method.version();
    this.isBare = method.method() == A2aMethod.GET || method.method() == A2aMethod.CANCEL;
  }

  /** The ids in an answer or an item of a stream. */
  public AgentTaskKey of(String json) {
    ObjectMembers answer = ObjectMembers.of(json);
    if (isBare) {
      return key(answer, ID);
    }
    return switch (version) {
      case V0_3 -> key(answer, member(answer.text("kind").orElse("")));
      case V1_0 ->
          Stream.of("task", "message", "statusUpdate", "artifactUpdate")
              .flatMap(wrapper ->
                  answer.json(wrapper).stream()
                      .map(inner -> key(ObjectMembers.of(inner), member(wrapper))))
              .findFirst()
              .orElseGet(() -> new AgentTaskKey(source, null, null));
    };
  }

  /** The member that has the id of the task, by the kind of 0.3 or the wrapper of 1.0. */
  private static String member(String kind) {
    return kind.equals("task") ? ID : "taskId";
  }

  private AgentTaskKey key(ObjectMembers members, String taskId) {
    return new AgentTaskKey(source, id(members, taskId), id(members, "contextId"));
  }

  /** The agent's task in the answer to a message that is a task here; empty without. */
  public static Optional<AnsweredTask> answered(TaskStatus status) {
    return status instanceof Known(_, Answered(_, var result), _, _, _, _, _)
        ? answered(ObjectMembers.of(result), AgentTaskJson.contextId((Known) status))
        : Optional.empty();
  }

  private static Optional<AnsweredTask> answered(ObjectMembers answer, String heldContext) {
    ObjectMembers task =
        answer.text("kind").filter("task"::equals).isPresent() ? answer : answer.members("task");
    return Optional.ofNullable(id(task, ID))
        .map(agentId -> new AnsweredTask(agentId, id(task, "contextId"), heldContext));
  }

  /** An id that is there and not empty. */
  public static @Nullable String id(ObjectMembers members, String name) {
    return members.text(name).filter(id -> !id.isEmpty()).orElse(null);
  }
}
