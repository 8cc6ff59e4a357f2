package gatebook.api.upstream.agent;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.agent.client.AgentFailure;
import gatebook.api.upstream.agent.client.AgentFailure.AnswerDropped;
import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import org.jspecify.annotations.Nullable;

/**
 * The faults for the failures of one agent.
 *
 * @param endpoint the agent's address, without user, query and fragment
 */
record AgentFaults(String source, String endpoint) {
  private static final int TASK_NOT_FOUND = -32001;
  private static final int TASK_NOT_CANCELABLE = -32002;
  private static final int PUSH_NOT_SUPPORTED = -32003;
  private static final int UNSUPPORTED_OPERATION = -32004;
  private static final int VERSION_NOT_SUPPORTED = -32009;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final int METHOD_NOT_FOUND = -32601;

  /** A request that failed: the caller's own method, and the task that it names, if any. */
  record FailedRequest(String method, @Nullable String taskId, int attempts) {}

  /** The end of a failed request. */
  Ended ended(AgentFailure failure, FailedRequest request) {
    return switch (failure) {
      case ServerError(int code, _) when code == TASK_NOT_CANCELABLE && request.taskId != null ->
          new Ended.Failure(new TaskFault.TaskNotCancelable(request.taskId, null));
      case ServerError(int code, _) when code == PUSH_NOT_SUPPORTED ->
          new Ended.Failure(new PushNotificationNotSupported());
      case ServerError(int code, _) when code == UNSUPPORTED_OPERATION ->
          new Ended.Failure(new UnsupportedOperation(request.method, "the agent refused it"));
      case ServerError(int code, var message) ->
          new Ended.ForeignError(source, code, message, null, null);
      case AgentFailure other -> new Ended.Failure(fault(other, request.attempts));
    };
  }

  /** Whether the agent no longer speaks as its card says. */
  static boolean contradictsCard(AgentFailure failure) {
    return failure instanceof ServerError(int code, _)
        && (code == VERSION_NOT_SUPPORTED || code == METHOD_NOT_FOUND);
  }

  Fault fault(AgentFailure failure, int attempts) {
    return switch (failure) {
      case ConnectionRefused(var reason) ->
          new UpstreamConnectionFailed(source, endpoint, reason, attempts);
      case Timeout(long millis) -> new UpstreamTimeout(source, endpoint, millis);
      case HttpError(int status, var retryAfter) when status == TOO_MANY_REQUESTS ->
          new RateLimited(Limit.UPSTREAM, retryAfter);
      case HttpError(int status, var retryAfter) when status == SERVICE_UNAVAILABLE ->
          new ServiceUnavailable(Cause.UPSTREAM, retryAfter);
      case HttpError(int status, _) ->
          new UpstreamError(source, null, words(failure), null, status);
      case InvalidResponse(var defect) -> new InvalidAgentResponse(source, defect);
      case TaskNotFound(var id) when id != null -> new TaskFault.TaskNotFound(id);
      case TaskNotFound _ -> new UpstreamError(source, TASK_NOT_FOUND, words(failure), null, null);
      case ServerError(int code, _) -> new UpstreamError(source, code, words(failure), null, null);
      case AnswerDropped() -> new ServiceUnavailable(Cause.ANSWER_DROPPED, null);
      case AgentFailure.InternalError(var reason) ->
          new ServerFault.InternalError("calling an agent", reason);
    };
  }

  /** The class of a failure, and its words. */
  static String classified(@Nullable AgentFailure failure) {
    String words = words(failure);
    return failure == null ? words : failure.getClass().getSimpleName() + ": " + words;
  }

  static String words(@Nullable AgentFailure failure) {
    return switch (failure) {
      case ConnectionRefused(var reason) -> reason;
      case Timeout(long millis) -> "no response within %d ms".formatted(millis);
      case HttpError(int status, _) -> "the response has the status %d".formatted(status);
      case InvalidResponse(var defect) -> defect;
      case TaskNotFound _ -> "the agent does not know a task";
      case ServerError(int code, _) -> "the agent answered with the error %d".formatted(code);
      case AnswerDropped() -> Defect.NO_MEMORY.words();
      case AgentFailure.InternalError(var reason) -> reason;
      case null -> "unknown";
    };
  }
}
