package gatebook.api.dialect;

import static gatebook.api.dialect.Phrases.dashed;

import gatebook.api.dialect.Words.Member;
import gatebook.api.dialect.Words.Value;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What callers of the task-flow protocol are told: fixed messages, and everything particular in
 * data.
 *
 * <p>Data carries {@code correlation_id} and, where there are such, {@code field}, {@code reason},
 * {@code expected}, {@code actual}, {@code details} and what names the task. Whoever is denied
 * something lacks permission; what the protocol has no code for is an internal error, which callers
 * may retry.
 */
final class FlowVocabulary implements Vocabulary {

  private static final int HTTP_UNAUTHORIZED = 401;
  private static final int PROBLEMS_MAX = 16;

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
  public Words words(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> malformed(malformed);
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied denied -> denied(denied);
      case Withheld withheld -> denied(withheld);
      case TaskFault task -> task(task);
      case Unsupported unsupported -> unsupported(unsupported);
      case UpstreamFault upstream -> upstream(upstream);
      case ServerFault server -> server(server);
    };
  }

  private static Words malformed(Malformed fault) {
    Account account = Account.of(fault);
    return Words.of(StandardCodes.of(fault))
        .put("field", fault instanceof Malformed.InvalidRequest(var defect) ? field(defect) : null)
        .put("reason", account.reason())
        .put("details", account.details())
        .http(StandardCodes.httpStatus(fault));
  }

  private static @Nullable String field(EnvelopeDefect defect) {
    return switch (defect) {
      case VERSION_MISSING, VERSION_WRONG -> "jsonrpc";
      case METHOD_MISSING, METHOD_NOT_TEXT -> "method";
      case PARAMS_MISSING, PARAMS_NOT_STRUCTURED -> "params";
      case ID_MISSING -> "id";
      case NOT_AN_OBJECT -> null;
    };
  }

  private static Words misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound(var method) ->
          Words.of(Standard.METHOD_NOT_FOUND).put("method", method);
      case Misdirected.InvalidParams(var problems) ->
          withProblems(Words.of(Standard.INVALID_PARAMS), problems)
              .put("details", Account.of(fault).details());
      case Misdirected.Unauthorized(var refusal) ->
          unauthorized().put("reason", sentence(refusal)).http(HTTP_UNAUTHORIZED);
      case Misdirected.RateLimited _ -> internal(fault);
      case Misdirected.HeaderMismatch _ -> general(Standard.INVALID_REQUEST, fault);
    };
  }

  private static String sentence(Refusal refusal) {
    return switch (refusal) {
      case TOKEN_MISSING -> "Missing authentication token";
      case TOKEN_UNKNOWN -> "Invalid authentication token";
      case NOT_PERMITTED -> "Insufficient permissions";
      case USER_MISMATCH -> "User ID mismatch";
    };
  }

  private static Words denied(Fault fault) {
    Account account = Account.of(fault);
    return unauthorized()
        .put(account.named())
        .put("reason", account.sentence())
        .put("details", account.details());
  }

  private static Words task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound(var id) ->
          Words.of(TASK_NOT_FOUND, "Task not found").put("task_id", id);
      case TaskFault.TaskExpired(var id, _) ->
          Words.of(TASK_NOT_FOUND, "Task not found")
              .put("task_id", id)
              .put("reason", "Task expired")
              .put("details", Account.of(fault).details());
      case TaskFault.TaskCancelled(var id) ->
          transition(id, "cancelled", null, "Task was cancelled");
      case TaskFault.TaskNotCancelable(var id, var current) ->
          transition(
              id,
              current,
              current == null ? null : current + " -> cancelled",
              "Task cannot be cancelled");
      case TaskFault.InvalidStateTransition(var id, var current, var target, var reason) ->
          transition(id, current, current + " -> " + target, reason);
      case TaskFault.TaskAlreadyExecuting(var id) ->
          Words.of(TASK_ALREADY_EXECUTING, "Task already executing").put("task_id", id);
      case TaskFault.InvalidTaskSchema(var id, var problems) ->
          withProblems(
              Words.of(INVALID_TASK_SCHEMA, "Invalid task schema").put("task_id", id), problems);
      case TaskFault.CircularDependency(var cycle) ->
          Words.of(CIRCULAR_DEPENDENCY, "Circular dependency detected").put("cycle", cycle);
      case TaskFault.DependencyNotSatisfied(var id, var waitsFor) ->
          Words.of(DEPENDENCY_NOT_SATISFIED, "Dependency not satisfied")
              .put("task_id", id)
              .put("waits_for", waitsFor);
      case TaskFault.InvalidDependencyReference(var id, var dependency) ->
          Words.of(INVALID_DEPENDENCY_REFERENCE, "Invalid dependency reference")
              .put("task_id", id)
              .put("dependency_id", dependency);
      case TaskFault.InvalidParentReference(var id, var parent, var reason) ->
          Words.of(INVALID_PARENT_REFERENCE, "Invalid parent reference")
              .put("task_id", id)
              .put("parent_id", parent)
              .put("reason", reason);
      case TaskFault.TaskTreeInvalid(var defect, var id) ->
          Words.of(TASK_TREE_VALIDATION_FAILED, "Task tree validation failed")
              .put("task_id", id)
              .put("reason", defect.word());
      case TaskFault.CannotDeleteTask(var id, var obstacle) ->
          Words.of(CANNOT_DELETE_TASK, "Cannot delete task")
              .put("task_id", id)
              .put("reason", obstacle.word());
      case TaskFault.ExecutorNotFound(var executor) -> noExecutor("executor", executor);
      case TaskFault.UnknownSkill(var skill) -> noExecutor("skill", skill);
    };
  }

  private static Words transition(
      @Nullable String id,
      @Nullable String current,
      @Nullable String attempted,
      @Nullable String reason) {
    return Words.of(INVALID_STATE_TRANSITION, "Invalid state transition")
        .put("task_id", id)
        .put("current_status", current)
        .put("attempted_transition", attempted)
        .put("reason", reason);
  }

  private static Words noExecutor(String what, String name) {
    return Words.of(EXECUTOR_NOT_FOUND, "Executor not found").put(what, name);
  }

  private static Words unsupported(Unsupported fault) {
    Account account = Account.of(fault);
    return withProblems(general(StandardCodes.of(fault), fault), account.problems());
  }

  private static Words upstream(UpstreamFault fault) {
    return switch (fault) {
      case UpstreamFault.ExecutorFailed(var id, var executor, var error) ->
          Words.of(Standard.INTERNAL_ERROR)
              .put("task_id", id)
              .put("executor", executor)
              .put("error", error);
      case UpstreamFault.UpstreamConnectionFailed _,
          UpstreamFault.UpstreamTimeout _,
          UpstreamFault.UpstreamError _,
          UpstreamFault.InvalidAgentResponse _,
          UpstreamFault.CoordinatorError _ ->
          internal(fault);
    };
  }

  private static Words server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable _, ServerFault.ConfigurationError _ -> internal(fault);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          Words.of(Standard.INTERNAL_ERROR);
    };
  }

  private static Words unauthorized() {
    return Words.of(UNAUTHORIZED, "Unauthorized");
  }

  private static Words internal(Fault fault) {
    Account account = Account.of(fault);
    return Words.of(Standard.INTERNAL_ERROR)
        .put("reason", dashed(fault.kind()))
        .put("error", account.sentence())
        .put("details", account.details())
        .put("retry_after", account.retryAfterSeconds());
  }

  private static Words general(Standard standard, Fault fault) {
    Account account = Account.of(fault);
    return Words.of(standard).put("reason", account.reason()).put("details", account.details());
  }

  /** The first problem is told at the top; when there are more, all are listed. */
  private static Words withProblems(Words words, List<Problem> problems) {
    if (problems.isEmpty()) {
      return words;
    }
    problem(words, problems.getFirst());
    return problems.size() == 1
        ? words
        : words.put(
            "errors",
            new Value.NestedList(
                problems.stream().limit(PROBLEMS_MAX).map(FlowVocabulary::members).toList()));
  }

  private static List<Member> members(Problem problem) {
    return problem(Words.of(Standard.INVALID_PARAMS), problem).members();
  }

  private static Words problem(Words words, Problem problem) {
    return words
        .put("field", problem.param())
        .put("reason", problem.reason())
        .put("expected", problem.expected())
        .put("actual", problem.received())
        .put("accepted", problem.accepted());
  }
}
