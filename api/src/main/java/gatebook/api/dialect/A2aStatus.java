package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;

/**
 * The HTTP status of an A2A error. Clients that declare a version read the error only in a response
 * with status 200. Of the others, clients recognise a missing task by 404 alone, and retry by
 * themselves after 500 and above. What breaks JSON-RPC has an error response with status 200, as in
 * every dialect.
 */
final class A2aStatus {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int INTERNAL_SERVER_ERROR = 500;
  private static final int BAD_GATEWAY = 502;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  private A2aStatus() {}

  /**
   * The status for clients that declare a version: they evaluate only these three before the error.
   */
  static int ofVersioned(Fault fault) {
    return switch (of(fault)) {
      case UNAUTHORIZED -> UNAUTHORIZED;
      case TOO_MANY_REQUESTS -> TOO_MANY_REQUESTS;
      case SERVICE_UNAVAILABLE -> SERVICE_UNAVAILABLE;
      default -> OK;
    };
  }

  /** The status for clients that declare no version. */
  static int of(Fault fault) {
    return switch (fault) {
      case Misdirected.Unauthorized(var refusal) ->
          refusal.isOfKnownCaller() ? FORBIDDEN : UNAUTHORIZED;
      case Misdirected.RateLimited _ -> TOO_MANY_REQUESTS;
      case TaskFault.TaskNotFound _, TaskFault.TaskExpired _, Misdirected.UnknownAgent _ ->
          NOT_FOUND;
      case Malformed malformed -> JsonRpcError.httpStatus(malformed);
      case Misdirected _ -> OK;
      case Denied _, Withheld _ -> FORBIDDEN;
      case TaskFault _, Unsupported _ -> BAD_REQUEST;
      case UpstreamFault.UpstreamTimeout _ -> GATEWAY_TIMEOUT;
      case UpstreamFault.ExecutorFailed _ -> INTERNAL_SERVER_ERROR;
      case UpstreamFault _ -> BAD_GATEWAY;
      // the call was forwarded, and a retry could have its effect a second time
      case ServerFault.ServiceUnavailable(var cause, _)
          when cause == Cause.OUTCOME_NOT_RECORDED
              || cause == Cause.ANSWER_DROPPED
              || cause == Cause.STOPPED ->
          OK;
      case ServerFault.ServiceUnavailable _ -> SERVICE_UNAVAILABLE;
      case ServerFault _ -> INTERNAL_SERVER_ERROR;
    };
  }
}
