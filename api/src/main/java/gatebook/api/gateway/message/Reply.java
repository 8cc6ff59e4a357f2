package gatebook.api.gateway.message;

import org.jspecify.annotations.Nullable;

/**
 * The reply to one message. Everything it says is durable, or it says that it is not.
 *
 * @param body the response; absent when the message wanted none
 * @param retryAfterSeconds after how long a retry may succeed; absent when that is not known
 */
@SuppressWarnings("ArrayRecordComponent") // written once and never compared
public record Reply(
    String correlationId,
    int httpStatus,
    byte @Nullable [] body,
    @Nullable Long retryAfterSeconds) {

  private static final int OK = 200;

  /** A reply without a response. */
  public static Reply none(String correlationId) {
    return new Reply(correlationId, OK, null);
  }

  /** Whether clients read the response whatever it says. */
  public boolean isOk() {
    return httpStatus == OK;
  }

  /** A reply that does not say when to retry. */
  public Reply(String correlationId, int httpStatus, byte @Nullable [] body) {
    this(correlationId, httpStatus, body, null);
  }
}
