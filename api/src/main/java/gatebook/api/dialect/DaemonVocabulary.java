package gatebook.api.dialect;

import gatebook.events.call.Json;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
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
final class DaemonVocabulary implements Vocabulary {

  private static final int UNAUTHORIZED = 401;
  private static final Json NOT_TOLD = Json.parse("\"not told\"");

  @Override
  public Words words(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> words(StandardCodes.of(malformed), malformed);
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied denied -> GateCodes.of(denied);
      case Withheld withheld -> GateCodes.of(withheld);
      case TaskFault task -> task(task);
      case Unsupported unsupported -> words(StandardCodes.of(unsupported), unsupported);
      case UpstreamFault upstream -> GateCodes.of(upstream);
      case ServerFault server -> server(server);
    };
  }

  private static Words misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ -> words(Standard.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> words(Standard.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized _ -> words(Standard.INVALID_REQUEST, fault).http(UNAUTHORIZED);
      case Misdirected.RateLimited limited -> GateCodes.of(limited);
      case Misdirected.HeaderMismatch _ -> words(Standard.INVALID_REQUEST, fault);
    };
  }

  private static Words task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound absent -> GateCodes.of(absent);
      case TaskFault.TaskExpired expired -> GateCodes.of(expired);
      case TaskFault.TaskCancelled cancelled -> GateCodes.of(cancelled);
      case TaskFault.InvalidTaskSchema _ -> words(Standard.INVALID_PARAMS, fault);
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

  private static Words server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable unavailable -> GateCodes.of(unavailable);
      case ServerFault.ConfigurationError error -> GateCodes.of(error);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          words(Standard.INTERNAL_ERROR, fault);
    };
  }

  private static Words words(Standard standard, Fault fault) {
    Account account = Account.of(fault);
    Words words = clarified(standard, account);
    return switch (standard) {
      case INVALID_REQUEST -> words.put("reason", account.reason());
      case INVALID_PARAMS ->
          account.problems().isEmpty() ? words : words(words, account.problems().getFirst());
      case PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR -> words;
    };
  }

  private static Words unfit(String param, String expected, TaskFault fault) {
    return words(
        clarified(Standard.INVALID_PARAMS, Account.of(fault)),
        new Problem(param, null, expected, null, List.of()));
  }

  private static Words clarified(Standard standard, Account account) {
    return account.details() == null
        ? Words.of(standard)
        : Words.of(standard.code(), standard.message() + ": " + account.details());
  }

  /** All three are always there; a value that may be a secret is not told. */
  private static Words words(Words words, Problem problem) {
    return words
        .put("param", problem.param())
        .put("expected", Objects.requireNonNullElse(problem.expected(), "another value"))
        .put("received", Objects.requireNonNullElse(problem.received(), NOT_TOLD))
        .put("accepted", problem.accepted());
  }
}
