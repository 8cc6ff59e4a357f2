package gatebook.events;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with an error: {@code fault} is what went wrong, {@code told} what the caller is
 * told of it (nobody, when the call is a notification). The target is told again, because errors
 * are grouped by it.
 *
 * @param firstToldTo the call that ended with this error, when this one only asked how that one
 *     ended: then it is the same error, and not another one
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

  /** An error of the call's own. */
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
