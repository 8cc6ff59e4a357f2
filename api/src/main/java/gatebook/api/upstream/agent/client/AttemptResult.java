package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.agent.client.AgentFailure.AnswerDropped;
import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import java.util.Set;

/** The result of one attempt, which decides whether another one may follow. */
record AttemptResult<T>(AgentOutcome<T> outcome, Attempt.Result result, Progress progress) {

  /** The statuses after which the same request may succeed. */
  static final Set<Integer> TRANSIENT_STATUSES = Set.of(429, 502, 503, 504);

  /** How far an attempt got. */
  enum Progress {
    /** No byte of the request was written. */
    UNSENT,
    SENT,

    /** A part of a stream was delivered. */
    ANSWERED_IN_PART
  }

  static <T> AttemptResult<T> of(AgentOutcome<T> outcome) {
    return new AttemptResult<>(outcome, result(outcome), Progress.SENT);
  }

  static <T> AttemptResult<T> failed(AgentFailure failure) {
    return of(AgentOutcome.failed(failure));
  }

  static <T> AttemptResult<T> unsent(AgentFailure failure) {
    AgentOutcome<T> outcome = AgentOutcome.failed(failure);
    return new AttemptResult<>(outcome, result(outcome), Progress.UNSENT);
  }

  /** A failure that another connection may not have. */
  static <T> AttemptResult<T> closed(AgentFailure failure) {
    return new AttemptResult<>(
        AgentOutcome.failed(failure), Attempt.Result.TRANSIENT, Progress.SENT);
  }

  AttemptResult<T> answeredInPart() {
    return new AttemptResult<>(outcome, result, Progress.ANSWERED_IN_PART);
  }

  /**
   * Whether the request may be sent again.
   *
   * @param idempotent whether a second request does no harm when the first one had its effect
   */
  boolean allowsRetry(boolean idempotent) {
    return result == Attempt.Result.TRANSIENT
        && switch (progress) {
          case UNSENT -> true;
          case SENT -> idempotent;
          case ANSWERED_IN_PART -> false;
        };
  }

  private static Attempt.Result result(AgentOutcome<?> outcome) {
    return switch (outcome) {
      case Success<?> _ -> Attempt.Result.SUCCESS;
      case Failed<?>(var failure) -> result(failure);
    };
  }

  private static Attempt.Result result(AgentFailure failure) {
    return switch (failure) {
      case ConnectionRefused _, Timeout _ -> Attempt.Result.TRANSIENT;
      case HttpError(int status, _) when TRANSIENT_STATUSES.contains(status) ->
          Attempt.Result.TRANSIENT;
      case HttpError _,
          TaskNotFound _,
          ServerError _,
          InvalidResponse _,
          AnswerDropped _,
          InternalError _ ->
          Attempt.Result.PERMANENT;
    };
  }
}
