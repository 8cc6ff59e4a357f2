package gatebook.api.dialect;

import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.InvalidStateTransition;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The error vocabulary of the task-flow protocol: fixed messages, and all particulars in data.
 *
 * <p>Data carries {@code correlation_id} and, where there are any, {@code field}, {@code reason},
 * {@code expected}, {@code actual}, {@code details} and what names the task. A denial is a lack of
 * permission; a fault for which the protocol has no code is an internal error, which callers may
 * retry.
 */
final class FlowVocabulary implements ErrorVocabulary {

  private static final int HTTP_OK = 200;
  private static final int HTTP_UNAUTHORIZED = 401;
  private static final int PROBLEMS_MAX = 100;

  private static final int TASK_NOT_FOUND = -32001;
  private static final int CIRCULAR_DEPENDENCY = -32002;
  private static final int EXECUTOR_NOT_FOUND = -32003;
  private static final int UNAUTHORIZED = -32004;
  private static final int INVALID_TASK_SCHEMA = -32005;
  private static final int INVALID_STATE_TRANSITION = -32006;
  private static final int DEPENDENCY_NOT_SATISFIED = -32007;
  private static final int TASK_ALREADY_EXECUTING = -32008;
  private static final int CANNOT_DELETE_TASK = -32009;
  private static final int INVALID_PARENT_REFERENCE = -32010;
  private static final int INVALID_DEPENDENCY_REFERENCE = -32011;
  private static final int TASK_TREE_VALIDATION_FAILED = -32012;

  @Override
  public ErrorWords words(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> malformed(malformed);
      case Misdirected.MethodNotFound(var method) ->
          ErrorWords.of(JsonRpcError.METHOD_NOT_FOUND).put("method", method);
      case Misdirected.UnknownAgent _ -> general(JsonRpcError.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams(var problems) ->
          withProblems(ErrorWords.of(JsonRpcError.INVALID_PARAMS), problems)
              .put("details", details(fault, problems));
      case Misdirected.Unauthorized(var refusal) ->
          unauthorized()
              .put("reason", sentence(refusal))
              .put("details", refusal.sentence())
              .http(httpStatus(refusal));
      case Misdirected.HeaderMismatch _ -> general(JsonRpcError.INVALID_REQUEST, fault);
      case Denied _, Withheld _ -> denied(fault.shown());
      case TaskFault task -> task(task);
      case Unsupported unsupported ->
          withProblems(
              general(JsonRpcError.of(unsupported), fault), unsupported.shown().problems());
      case UpstreamFault.ExecutorFailed(var id, var executor, var error) ->
          ErrorWords.of(JsonRpcError.INTERNAL_ERROR)
              .put("task_id", id)
              .put("executor", executor)
              .put("error", error);
      case Misdirected.RateLimited _,
          UpstreamFault.UpstreamConnectionFailed _,
          UpstreamFault.UpstreamTimeout _,
          UpstreamFault.UpstreamError _,
          UpstreamFault.InvalidAgentResponse _,
          UpstreamFault.CoordinatorError _,
          ServerFault.ServiceUnavailable _,
          ServerFault.ConfigurationError _ ->
          internal(fault);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          ErrorWords.of(JsonRpcError.INTERNAL_ERROR);
    };
  }

  private static ErrorWords malformed(Malformed fault) {
    ErrorWords errorWords = ErrorWords.of(JsonRpcError.of(fault));
    if (fault instanceof Malformed.InvalidRequest(var defect, _)) {
      errorWords.put("field", field(defect));
    }
    return explained(errorWords, fault).http(JsonRpcError.httpStatus(fault));
  }

  private static @Nullable String field(EnvelopeDefect defect) {
    return switch (defect) {
      case VERSION_MISSING, VERSION_WRONG -> "jsonrpc";
      case METHOD_MISSING, METHOD_NOT_TEXT -> "method";
      case PARAMS_MISSING, PARAMS_NOT_STRUCTURED -> "params";
      case ID_MISSING -> "id";
      case NOT_AN_OBJECT, REFUSED_BY_AGENT -> null;
    };
  }

  /** The expected value of the first problem; the reason where no value is known. */
  private static @Nullable String details(Fault fault, List<Problem> problems) {
    boolean isExplained = !problems.isEmpty() && problems.getFirst().reason() != null;
    String expected = isExplained ? problems.getFirst().expectation() : null;
    return expected == null ? fault.shown().details() : "Expected " + expected;
  }

  private static int httpStatus(Refusal refusal) {
    return refusal == Refusal.USER_MISMATCH || refusal.isOfKnownCaller()
        ? HTTP_OK
        : HTTP_UNAUTHORIZED;
  }

  private static String sentence(Refusal refusal) {
    return switch (refusal) {
      case TOKEN_MISSING -> "Missing authentication token";
      case NOT_PERMITTED, SCOPE_MISSING -> "Insufficient permissions";
      case USER_MISMATCH -> "User ID mismatch";
      case TOKEN_UNKNOWN,
          TOKEN_MALFORMED,
          TOKEN_ALGORITHM,
          TOKEN_KEY_UNKNOWN,
          TOKEN_SIGNATURE,
          TOKEN_EXPIRED,
          TOKEN_NOT_YET_VALID,
          TOKEN_AUDIENCE,
          TOKEN_ISSUER,
          TOKEN_NO_PRINCIPAL,
          TOKEN_TOO_LARGE ->
          "Invalid authentication token";
    };
  }

  private static ErrorWords denied(PublicFault publicFault) {
    return unauthorized()
        .put(publicFault.named())
        .put("reason", publicFault.sentence())
        .put("details", publicFault.details());
  }

  private static ErrorWords task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound(var id) ->
          ErrorWords.of(TASK_NOT_FOUND, "Task not found").put("task_id", id);
      case TaskFault.TaskExpired(var id, _) ->
          ErrorWords.of(TASK_NOT_FOUND, "Task not found")
              .put("task_id", id)
              .put("reason", "Task expired")
              .put("details", fault.shown().details());
      case TaskFault.TaskCancelled(var id) ->
          transition(id, "cancelled", null, "Task was cancelled");
      case TaskFault.TaskNotCancelable(var id, var current) ->
          transition(
              id,
              current,
              current == null ? null : current + " -> cancelled",
              "Task cannot be cancelled");
      case TaskFault.InvalidStateTransition(var id, var current, var target, var reason) ->
          transition(id, current, attempted(current, target), reason);
      case TaskFault.TaskAlreadyExecuting(var id) ->
          ErrorWords.of(TASK_ALREADY_EXECUTING, "Task already executing").put("task_id", id);
      case TaskFault.InvalidTaskSchema(var id, var problems) ->
          withProblems(
              ErrorWords.of(INVALID_TASK_SCHEMA, "Invalid task schema").put("task_id", id),
              problems);
      case TaskFault.CircularDependency(var cycle) ->
          ErrorWords.of(CIRCULAR_DEPENDENCY, "Circular dependency detected").put("cycle", cycle);
      case TaskFault.DependencyNotSatisfied(var id, var waitsFor) ->
          ErrorWords.of(DEPENDENCY_NOT_SATISFIED, "Dependency not satisfied")
              .put("task_id", id)
              .put("waits_for", waitsFor);
      case TaskFault.InvalidDependencyReference(var id, var dependency) ->
          ErrorWords.of(INVALID_DEPENDENCY_REFERENCE, "Invalid dependency reference")
              .put("task_id", id)
              .put("dependency_id", dependency);
      case TaskFault.InvalidParentReference(var id, var parent, var reason) ->
          ErrorWords.of(INVALID_PARENT_REFERENCE, "Invalid parent reference")
              .put("task_id", id)
              .put("parent_id", parent)
              .put("reason", reason);
      case TaskFault.TaskTreeInvalid(var defect, var id) ->
          ErrorWords.of(TASK_TREE_VALIDATION_FAILED, "Task tree validation failed")
              .put("task_id", id)
              .put("reason", defect.word());
      case TaskFault.CannotDeleteTask(var id, var obstacle) ->
          ErrorWords.of(CANNOT_DELETE_TASK, "Cannot delete task")
              .put("task_id", id)
              .put("reason", obstacle.word());
      case TaskFault.ExecutorNotFound(var executor, var candidates) ->
          noExecutor("executor", executor)
              .put("reason", candidates == null ? null : "Ambiguous: use one of the candidates")
              .put("candidates", candidates == null ? List.of() : candidates);
      case TaskFault.UnknownSkill(var skill) -> noExecutor("skill", skill);
      case TaskFault.SeveralTaskFaults(var faults) -> several(faults);
    };
  }

  /**
   * The attempted transition, or the change without one. Only a pending task can enter progress;
   * executing any other task attempts that transition.
   */
  private static String attempted(String current, String target) {
    return switch (target) {
      case InvalidStateTransition.UPDATE, InvalidStateTransition.DELETE -> target;
      case "in_progress" -> "pending -> in_progress";
      default -> current + " -> " + target;
    };
  }

  /** The first fault is at the top of data, and all are listed. */
  private static ErrorWords several(List<TaskFault> faults) {
    List<ErrorWords> all = faults.stream().flatMap(FlowVocabulary::single).toList();
    return all.getFirst()
        .put("errors", new Value.NestedList(all.stream().map(ErrorWords::members).toList()));
  }

  /** The words for each problem of a fault, as if it were the only one. */
  private static Stream<ErrorWords> single(TaskFault fault) {
    return fault instanceof TaskFault.InvalidTaskSchema(var id, var problems)
        ? problems.stream()
            .map(problem -> task(new TaskFault.InvalidTaskSchema(id, List.of(problem))))
        : Stream.of(task(fault));
  }

  private static ErrorWords transition(
      @Nullable String id,
      @Nullable String current,
      @Nullable String attempted,
      @Nullable String reason) {
    return ErrorWords.of(INVALID_STATE_TRANSITION, "Invalid state transition")
        .put("task_id", id)
        .put("current_status", current)
        .put("attempted_transition", attempted)
        .put("reason", reason);
  }

  private static ErrorWords noExecutor(String what, String name) {
    return ErrorWords.of(EXECUTOR_NOT_FOUND, "Executor not found").put(what, name);
  }

  private static ErrorWords unauthorized() {
    return ErrorWords.of(UNAUTHORIZED, "Unauthorized");
  }

  private static ErrorWords internal(Fault fault) {
    PublicFault publicFault = fault.shown();
    return ErrorWords.of(JsonRpcError.INTERNAL_ERROR)
        .put("reason", ErrorVocabulary.nameOf(fault))
        .put("error", publicFault.sentence())
        .put("details", publicFault.details())
        .put("retry_after", publicFault.retryAfterSeconds());
  }

  private static ErrorWords general(JsonRpcError jsonRpcError, Fault fault) {
    return explained(ErrorWords.of(jsonRpcError), fault);
  }

  private static ErrorWords explained(ErrorWords errorWords, Fault fault) {
    PublicFault publicFault = fault.shown();
    return errorWords.put("reason", publicFault.reason()).put("details", publicFault.details());
  }

  /** The first problem is at the top of data; when there are more, all are listed. */
  private static ErrorWords withProblems(ErrorWords errorWords, List<Problem> problems) {
    if (problems.isEmpty()) {
      return errorWords;
    }
    problem(errorWords, problems.getFirst());
    return problems.size() == 1
        ? errorWords
        : errorWords.put(
            "errors",
            new Value.NestedList(
                problems.stream().limit(PROBLEMS_MAX).map(FlowVocabulary::members).toList()));
  }

  private static List<Member> members(Problem problem) {
    return problem(ErrorWords.of(JsonRpcError.INVALID_PARAMS), problem).members();
  }

  private static ErrorWords problem(ErrorWords errorWords, Problem problem) {
    return errorWords
        .put("field", problem.param())
        .put("reason", problem.reason())
        .put("expected", problem.expectation())
        .put("actual", problem.received())
        .put("accepted", problem.accepted());
  }
}
