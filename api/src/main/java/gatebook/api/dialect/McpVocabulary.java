package gatebook.api.dialect;

import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;

/**
 * What callers that speak MCP are told.
 *
 * <p>Data always carries {@code correlation_id}; {@code gate} and {@code tool} when a gate denied a
 * call of a tool, {@code details} what the caller may know beyond the message. An invalid request
 * names its {@code reason}, invalid params the first problem as {@code param}, {@code expected},
 * {@code received} and {@code accepted}.
 */
final class McpVocabulary extends GatewayVocabulary {

  @Override
  Words task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound absent -> GateCodes.of(absent);
      case TaskFault.TaskExpired expired -> GateCodes.of(expired);
      case TaskFault.TaskCancelled cancelled -> GateCodes.of(cancelled);
      case TaskFault.TaskNotCancelable _,
          TaskFault.InvalidStateTransition _,
          TaskFault.TaskAlreadyExecuting _,
          TaskFault.InvalidTaskSchema _,
          TaskFault.CircularDependency _,
          TaskFault.DependencyNotSatisfied _,
          TaskFault.InvalidDependencyReference _,
          TaskFault.InvalidParentReference _,
          TaskFault.TaskTreeInvalid _,
          TaskFault.CannotDeleteTask _,
          TaskFault.ExecutorNotFound _,
          TaskFault.UnknownSkill _ ->
          words(Standard.INVALID_PARAMS, fault);
    };
  }

  @Override
  Words clarified(Standard standard, Account account) {
    return Words.of(standard).put("details", account.details());
  }

  @Override
  Words words(Words words, Problem problem) {
    return words
        .put("param", problem.param())
        .put("expected", problem.expected())
        .put("received", problem.received())
        .put("accepted", problem.accepted());
  }
}
