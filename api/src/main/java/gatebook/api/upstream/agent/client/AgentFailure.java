package gatebook.api.upstream.agent.client;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a request to an agent. Only {@link ServerError} has words of the agent; all others
 * are this client's own.
 */
public sealed interface AgentFailure {

  /**
   * The agent answered with a status other than 200 and without a JSON-RPC error, or with a status
   * that asks for a later attempt.
   *
   * @param retryAfterSeconds when to try again; absent when the agent does not say so
   */
  record HttpError(int status, @Nullable Long retryAfterSeconds) implements AgentFailure {}

  /**
   * The agent does not know the task.
   *
   * @param taskId as the request has it; absent when the request names no task
   */
  record TaskNotFound(@Nullable String taskId) implements AgentFailure {}

  /**
   * The agent answered with a JSON-RPC error.
   *
   * @param message of the agent, cut to a limit: untrusted, to be scrubbed before it is shown
   */
  record ServerError(int code, String message) implements AgentFailure {}

  /**
   * There was no connection for the request.
   *
   * @param reason for operators
   */
  record ConnectionRefused(String reason) implements AgentFailure {}

  /** No complete response arrived in time, or no further item of a stream. */
  record Timeout(long millisMax) implements AgentFailure {}

  /** What arrived is no complete answer to the request, or exceeds a limit. */
  record InvalidResponse(String defect) implements AgentFailure {}

  /** There was no memory for the answer. */
  record AnswerDropped() implements AgentFailure {}

  /** The request failed in this process. */
  @SuppressWarnings("AvoidCommonTypeNames") // clients of agents know the failure by this name
  record InternalError(String reason) implements AgentFailure {}
}
