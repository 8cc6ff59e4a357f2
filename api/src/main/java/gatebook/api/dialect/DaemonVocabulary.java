package gatebook.api.dialect;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.util.List;
import java.util.Objects;

/**
 * The error vocabulary of a daemon's callers: JSON-RPC's own messages, each followed by a colon and
 * its details, and as little data as possible.
 *
 * <p>Data carries {@code correlation_id}; for an invalid request also its {@code reason}, for
 * invalid params {@code details}, {@code param}, {@code expected}, {@code received}, and {@code
 * accepted} where only some values are. The errors that a gateway adds are those of MCP.
 */
final class DaemonVocabulary extends GatewayVocabulary {

  private static final JsonValue WITHHELD = JsonValue.parse("\"not told\"");

  /**
   * The message for a batch is that of other daemons of this kind, word for word. Of the media
   * types that HTTP accepts, frames accept only one.
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
      case Misdirected.InvalidParams params ->
          super.words(params).put("details", publicFault.details());
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
      case TaskFault.SeveralTaskFaults several -> task(several.first());
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

  /** All three members are always present; a value that may be a secret is left out. */
  @Override
  ErrorWords words(ErrorWords errorWords, Problem problem) {
    return errorWords
        .put("param", problem.param())
        .put("expected", Objects.requireNonNullElse(problem.expected(), "another value"))
        .put("received", Objects.requireNonNullElse(problem.received(), WITHHELD))
        .put("accepted", problem.accepted());
  }
}
