package gatebook.api.upstream.agent.client;

import org.jspecify.annotations.Nullable;

/**
 * An attempt to send a request to an agent, after it ended.
 *
 * @param number counted from 1
 * @param failure absent after a success
 * @param nextMillis until the next attempt; absent when there is none
 */
public record Attempt(
    int number, Result result, @Nullable AgentFailure failure, @Nullable Long nextMillis) {

  /** How an attempt ended. */
  public enum Result {
    SUCCESS,

    /** The same request may succeed later. */
    TRANSIENT,

    /** The same request will fail again. */
    PERMANENT
  }
}
