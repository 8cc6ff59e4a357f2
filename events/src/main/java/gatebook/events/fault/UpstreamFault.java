package gatebook.events.fault;

import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/** A fault of an upstream. Addresses and messages are the upstream's own. */
public sealed interface UpstreamFault extends Fault {

  @Override
  default Category category() {
    return Category.UPSTREAM;
  }

  @Override
  default Severity severity() {
    return Severity.ERROR;
  }

  /** The connection failed, so nothing was done. */
  record UpstreamConnectionFailed(String source, String url, String reason, int attempts)
      implements UpstreamFault {}

  /** No response in time; it is unknown whether anything was done. */
  record UpstreamTimeout(String source, String url, long timeoutMillis) implements UpstreamFault {}

  /**
   * The upstream answered with an error, or with something that is not a response: then {@code
   * code} is absent. When it is {@code passed}, the caller gets the upstream's own code, message
   * and data; secrets were already removed from both.
   */
  record UpstreamError(
      String source,
      @Nullable Integer code,
      String message,
      @Nullable JsonValue data,
      @Nullable Integer httpStatus,
      @Nullable Boolean passed)
      implements UpstreamFault {

    /** An error that callers get translated to one of the gateway's own. */
    public UpstreamError(
        String source,
        @Nullable Integer code,
        String message,
        @Nullable JsonValue data,
        @Nullable Integer httpStatus) {
      this(source, code, message, data, httpStatus, null);
    }
  }

  /** An agent's response violates the agent protocol. */
  record InvalidAgentResponse(String source, String reason) implements UpstreamFault {}

  /** An executor accepted the task and failed. */
  record ExecutorFailed(@Nullable String taskId, String executor, String error)
      implements UpstreamFault {}

  /** The coordinator that assigns an agent's tasks failed; the gateway itself has none. */
  record CoordinatorError(String reason) implements UpstreamFault {}
}
