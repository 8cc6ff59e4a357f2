package gatebook.api.a2a;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.DialectHandler.DialectCall;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.GetAgentTaskOwner;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The requests to agents upstream: what they act on, and whose the tasks are that they name. The
 * targets have the names of version 1.0, below the agent's id: {@code planner/GetTask}, and {@code
 * planner/skills/route} for a skill.
 */
final class UpstreamAgents {
  private static final String SKILLS = "skills/";

  private final AgentTaskOwners owners;

  UpstreamAgents(AgentTaskOwners owners) {
    this.owners = owners;
  }

  /** What a request to an agent wants; those that no agent gets are read when they are answered. */
  static Intent intent(String agent, A2aCall call) {
    return switch (call.method()) {
      case SEND, GET, LIST, CANCEL -> intent(agent, call.reading());
      case STREAM, SUBSCRIBE, CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
          new Intent.AnswerHere();
    };
  }

  private static Intent intent(String agent, A2aReading reading) {
    return switch (reading) {
      case A2aReading.Rejected(var fault) -> new Intent.Unservable(fault);
      case A2aReading.Understood(A2aRequest.Send(_, var options, _)) when options.push() != null ->
          new Intent.Unservable(new PushNotificationNotSupported());
      case A2aReading.Understood(A2aRequest.Send(var message, _, _)) ->
          new Intent.Act(
              target(agent, A2aMethod.SEND),
              TargetKind.AGENT,
              message.skillId() == null
                  ? List.of()
                  : List.of("%s/%s%s".formatted(agent, SKILLS, message.skillId())));
      case A2aReading.Understood(A2aRequest.Get _) -> act(agent, A2aMethod.GET);
      case A2aReading.Understood(A2aRequest.ListTasks _) -> act(agent, A2aMethod.LIST);
      case A2aReading.Understood(A2aRequest.Cancel _) -> act(agent, A2aMethod.CANCEL);
      case A2aReading.Understood _ -> new Intent.AnswerHere();
    };
  }

  private static Intent act(String agent, A2aMethod method) {
    return new Intent.Act(target(agent, method), TargetKind.AGENT);
  }

  private static String target(String agent, A2aMethod method) {
    return "%s/%s".formatted(agent, method.latestName());
  }

  /** A task or context that is not the caller's; what is unknown is not told from another's. */
  CompletableFuture<Optional<Fault>> refusal(
      String agent, A2aReading reading, String principal, DialectCall dialectCall) {
    return switch (reading) {
      case A2aReading.Understood(A2aRequest.Send(var message, _, _)) ->
          refusal(
              new AgentTaskKey(agent, message.taskId(), message.contextId()),
              principal,
              dialectCall);
      case A2aReading.Understood(A2aRequest.Get(var taskId, _)) ->
          refusal(new AgentTaskKey(agent, taskId, null), principal, dialectCall);
      case A2aReading.Understood(A2aRequest.Cancel(var taskId, _)) ->
          refusal(new AgentTaskKey(agent, taskId, null), principal, dialectCall);
      case A2aReading.Understood _, A2aReading.Rejected _ ->
          CompletableFuture.completedFuture(Optional.empty());
    };
  }

  private CompletableFuture<Optional<Fault>> refusal(
      AgentTaskKey key, String principal, DialectCall dialectCall) {
    String id = key.taskId() == null ? key.contextId() : key.taskId();
    return id == null
        ? CompletableFuture.completedFuture(Optional.empty())
        : owners.find(key, principal, dialectCall.rules()).thenApply(found -> fault(found, id));
  }

  private static Optional<Fault> fault(CommandResult<GetAgentTaskOwner.Result> found, String id) {
    return switch (found) {
      case CommandResult.Refused<GetAgentTaskOwner.Result> _ ->
          Optional.of(new ServiceUnavailable(Cause.JOURNAL, null));
      case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) ->
          owner.isOwned() ? Optional.empty() : Optional.of(new TaskNotFound(id));
    };
  }
}
