package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import org.jspecify.annotations.Nullable;

/**
 * The error vocabulary that MCP and the daemon share: the codes of the errors that a gateway adds
 * to a protocol. Each has its own words for the errors of JSON-RPC itself.
 */
abstract class GatewayVocabulary implements ErrorVocabulary {

  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  @Override
  public ErrorWords words(Fault fault) {
    return switch (fault) {
      case Malformed.UnknownSession _ ->
          standard(JsonRpcError.INVALID_REQUEST, fault).http(NOT_FOUND);
      case Malformed malformed ->
          standard(JsonRpcError.of(malformed), fault).http(JsonRpcError.httpStatus(malformed));
      case Misdirected.MethodNotFound _, Misdirected.UnknownAgent _ ->
          standard(JsonRpcError.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> standard(JsonRpcError.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized(var refusal) ->
          standard(JsonRpcError.INVALID_REQUEST, fault)
              .http(refusal.isOfKnownCaller() ? FORBIDDEN : UNAUTHORIZED);
      case Misdirected.HeaderMismatch _ -> standard(JsonRpcError.INVALID_REQUEST, fault);
      case Misdirected.RateLimited _ -> added(-32009, fault);
      case Denied.PolicyDenied _ -> added(-32003, fault);
      case Denied.ApprovalRejected _ -> added(-32007, fault);
      case Denied.ApprovalTimeout _ -> added(-32008, fault);
      case Denied.GovernanceRuleDenied _ -> added(-32014, fault);
      case Denied.ToolNotExposed _ -> added(-32015, fault);
      case Denied.WorkflowNotFound _ -> added(-32017, fault);
      case Withheld.InspectionFailed _ -> added(-32010, fault);
      case Withheld.PolicyDrift _ -> added(-32011, fault);
      case Withheld.TransformDrift _ -> added(-32012, fault);
      case TaskFault.TaskNotFound _ -> added(-32004, fault);
      case TaskFault.TaskExpired _ -> added(-32005, fault);
      case TaskFault.TaskCancelled _ -> added(-32006, fault);
      case TaskFault.InvalidTaskSchema _ -> standard(JsonRpcError.INVALID_PARAMS, fault);
      case TaskFault.TaskNotCancelable _,
          TaskFault.InvalidStateTransition _,
          TaskFault.TaskAlreadyExecuting _,
          TaskFault.DependencyNotSatisfied _,
          TaskFault.CannotDeleteTask _ ->
          unfit(fault, "task", "a task in another state");
      case TaskFault.CircularDependency _, TaskFault.InvalidDependencyReference _ ->
          unfit(fault, "dependencies", "tasks that exist and wait for no one in a circle");
      case TaskFault.InvalidParentReference _ -> unfit(fault, "parent", "a task that can be one");
      case TaskFault.TaskTreeInvalid _ -> unfit(fault, "tasks", "a tree with one root");
      case TaskFault.ExecutorNotFound _ -> unfit(fault, "executor", "one that is registered");
      case TaskFault.UnknownSkill _ -> unfit(fault, "skill", "one that an agent has");
      case TaskFault.SeveralTaskFaults several -> words(several.first());
      case Unsupported unsupported -> standard(JsonRpcError.of(unsupported), fault);
      case UpstreamFault.UpstreamConnectionFailed _ -> added(-32000, fault);
      case UpstreamFault.UpstreamTimeout _ -> added(-32001, fault);
      case UpstreamFault.UpstreamError _,
          UpstreamFault.InvalidAgentResponse _,
          UpstreamFault.ExecutorFailed _,
          UpstreamFault.CoordinatorError _ ->
          added(-32002, fault);
      case ServerFault.ServiceUnavailable _ -> overload(added(-32013, fault), fault.shown());
      case ServerFault.ConfigurationError _ -> added(-32016, fault);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          standard(JsonRpcError.INTERNAL_ERROR, fault);
    };
  }

  /** An error that the gateway adds to the protocol. */
  private static ErrorWords added(int code, Fault fault) {
    PublicFault publicFault = fault.shown();
    return ErrorWords.of(code, publicFault.sentence())
        .put(publicFault.named())
        .put("details", publicFault.details())
        .put("retry_after", publicFault.retryAfterSeconds());
  }

  private static ErrorWords overload(ErrorWords errorWords, PublicFault publicFault) {
    return Cause.OVERLOADED.word().equals(publicFault.reason())
        ? errorWords.put("reason", publicFault.reason())
        : errorWords;
  }

  /** An error of JSON-RPC itself, with its reason or the first problem. */
  final ErrorWords standard(JsonRpcError jsonRpcError, Fault fault) {
    PublicFault publicFault = fault.shown();
    ErrorWords errorWords = clarified(jsonRpcError, publicFault.details());
    return switch (jsonRpcError) {
      case INVALID_REQUEST -> errorWords.put("reason", publicFault.reason());
      case INVALID_PARAMS ->
          publicFault.problems().isEmpty()
              ? errorWords
              : problem(errorWords, publicFault.problems().getFirst());
      case PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR -> errorWords;
    };
  }

  /** Invalid params: what they name does not fit, although its value does. */
  ErrorWords unfit(Fault fault, String param, String expected) {
    return standard(JsonRpcError.INVALID_PARAMS, fault);
  }

  /** The words of JSON-RPC itself, with the details that the caller may know. */
  abstract ErrorWords clarified(JsonRpcError jsonRpcError, @Nullable String details);

  ErrorWords problem(ErrorWords errorWords, Problem problem) {
    return errorWords.put(problem);
  }
}
