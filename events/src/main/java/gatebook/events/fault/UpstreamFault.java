package gatebook.events.fault;

import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/** What the side behind us did, or did not do. Addresses and words are the upstream's own. */
public sealed interface UpstreamFault extends Fault {

  @Override
  default Category category() {
    return Category.UPSTREAM;
  }

  @Override
  default Severity severity() {
    return Severity.ERROR;
  }

  /** No connection came about, so nothing was done. */
  record UpstreamConnectionFailed(String source, String url, String reason, int attempts)
      implements UpstreamFault {}

  /** No answer in time; whether anything was done is unknown. */
  record UpstreamTimeout(String source, String url, long timeoutMillis) implements UpstreamFault {}

  /**
   * The upstream answered with an error, or with something that is no answer: then {@code code} is
   * absent. When it is {@code passed}, the caller is told the upstream's own code, message and
   * data; secrets are taken out of both before they come here.
   */
  record UpstreamError(
      String source,
      @Nullable Integer code,
      String message,
      @Nullable JsonValue data,
      @Nullable Integer httpStatus,
      @Nullable Boolean passed)
      implements UpstreamFault {

    /** An error that callers are told as one of ours. */
    public UpstreamError(
        String source,
        @Nullable Integer code,
        String message,
        @Nullable JsonValue data,
        @Nullable Integer httpStatus) {
      this(source, code, message, data, httpStatus, null);
    }
  }

  /** An agent's answer breaks the protocol between agents. */
  record InvalidAgentResponse(String source, String reason) implements UpstreamFault {}

  /** An executor took the task and failed at it. */
  record ExecutorFailed(@Nullable String taskId, String executor, String error)
      implements UpstreamFault {}

  /** Whoever hands out an agent's tasks failed. */
  record CoordinatorError(String reason) implements UpstreamFault {}
}
