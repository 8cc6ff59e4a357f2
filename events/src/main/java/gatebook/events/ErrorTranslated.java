package gatebook.events;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with an error: {@code fault} is what went wrong, {@code told} the error response
 * that it was translated to (none is sent for a notification). The target is repeated here because
 * errors are grouped by it.
 *
 * @param firstToldTo the call that ended with this error, when this call only asked for the outcome
 *     of that one: then it is the same error, not another one
 */
@Named(name = "ErrorTranslated", version = "1")
public record ErrorTranslated(
    UUID callId,
    @Nullable String target,
    Fault fault,
    ErrorResponse told,
    int attempts,
    @Nullable Long upstreamMillis,
    long totalMillis,
    @Nullable UUID firstToldTo)
    implements CallEnd {

  /** An error of this call itself. */
  public ErrorTranslated(
      UUID callId,
      @Nullable String target,
      Fault fault,
      ErrorResponse told,
      int attempts,
      @Nullable Long upstreamMillis,
      long totalMillis) {
    this(callId, target, fault, told, attempts, upstreamMillis, totalMillis, null);
  }
}
