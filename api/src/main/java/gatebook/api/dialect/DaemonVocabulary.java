package gatebook.api.dialect;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.util.List;
import java.util.Objects;

/**
 * What callers of a daemon are told: JSON-RPC's own messages, each with what clarifies it behind a
 * colon, and as little data as there can be.
 *
 * <p>Data carries {@code correlation_id}; for an invalid request also its {@code reason}, for
 * invalid params {@code param}, {@code expected}, {@code received}, and {@code accepted} where only
 * some values are. What a gateway adds is told as in MCP.
 */
final class DaemonVocabulary extends GatewayVocabulary {

  private static final JsonValue NOT_TOLD = JsonValue.parse("\"not told\"");

  /**
   * A batch is refused word for word as daemons of this kind do; of the media types that HTTP
   * takes, frames take only one.
   */
  @Override
  public ErrorWords words(Fault fault) {
    PublicFault publicFault = PublicFault.of(fault);
    return switch (fault) {
      case Malformed.BatchNotSupported _ ->
          ErrorWords.of(JsonRpcError.INVALID_REQUEST.code(), "Batch requests not supported")
              .put("reason", publicFault.reason());
      case Malformed.UnsupportedContentType _ ->
          clarified(
                  JsonRpcError.INVALID_REQUEST,
                  publicFault.details("send application/vscode-jsonrpc"))
              .put("reason", publicFault.reason());
      case Fault other -> super.words(other);
    };
  }

  @Override
  ErrorWords task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound absent -> GateCodes.of(absent);
      case TaskFault.TaskExpired expired -> GateCodes.of(expired);
      case TaskFault.TaskCancelled cancelled -> GateCodes.of(cancelled);
      case TaskFault.InvalidTaskSchema _ -> words(JsonRpcError.INVALID_PARAMS, fault);
      case TaskFault.TaskNotCancelable _,
          TaskFault.InvalidStateTransition _,
          TaskFault.TaskAlreadyExecuting _,
          TaskFault.DependencyNotSatisfied _,
          TaskFault.CannotDeleteTask _ ->
          unfit("task", "a task in another state", fault);
      case TaskFault.CircularDependency _, TaskFault.InvalidDependencyReference _ ->
          unfit("dependencies", "tasks that exist and wait for no one in a circle", fault);
      case TaskFault.InvalidParentReference _ -> unfit("parent", "a task that can be one", fault);
      case TaskFault.TaskTreeInvalid _ -> unfit("tasks", "a tree with one root", fault);
      case TaskFault.ExecutorNotFound _ -> unfit("executor", "one that is registered", fault);
      case TaskFault.UnknownSkill _ -> unfit("skill", "one that an agent has", fault);
    };
  }

  private ErrorWords unfit(String param, String expected, TaskFault fault) {
    return words(
        clarified(JsonRpcError.INVALID_PARAMS, PublicFault.of(fault)),
        new Problem(param, null, expected, null, List.of()));
  }

  @Override
  ErrorWords clarified(JsonRpcError jsonRpcError, PublicFault publicFault) {
    return publicFault.details() == null
        ? ErrorWords.of(jsonRpcError)
        : ErrorWords.of(jsonRpcError.code(), jsonRpcError.message() + ": " + publicFault.details());
  }

  /** All three are always there; a value that may be a secret is not told. */
  @Override
  ErrorWords words(ErrorWords errorWords, Problem problem) {
    return errorWords
        .put("param", problem.param())
        .put("expected", Objects.requireNonNullElse(problem.expected(), "another value"))
        .put("received", Objects.requireNonNullElse(problem.received(), NOT_TOLD))
        .put("accepted", problem.accepted());
  }
}
