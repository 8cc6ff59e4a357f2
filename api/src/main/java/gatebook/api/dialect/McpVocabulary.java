package gatebook.api.dialect;

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

/**
 * What callers that speak MCP are told.
 *
 * <p>Data always carries {@code correlation_id}; {@code gate} and {@code tool} when a gate denied a
 * call of a tool, {@code details} what the caller may know beyond the message. An invalid request
 * names its {@code reason}, invalid params the first problem as {@code param}, {@code expected},
 * {@code received} and {@code accepted}.
 */
final class McpVocabulary implements Vocabulary {

  private static final int UNAUTHORIZED = 401;

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
    Words words = Words.of(standard).put("details", account.details());
    return switch (standard) {
      case INVALID_REQUEST -> words.put("reason", account.reason());
      case INVALID_PARAMS ->
          account.problems().isEmpty() ? words : words(words, account.problems().getFirst());
      case PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR -> words;
    };
  }

  private static Words words(Words words, Problem problem) {
    return words
        .put("param", problem.param())
        .put("expected", problem.expected())
        .put("received", problem.received())
        .put("accepted", problem.accepted());
  }
}
