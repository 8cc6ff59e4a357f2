package gatebook.command.call;

import java.util.Objects;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Decides a call that was received with a message, which may be a duplicate.
 *
 * @param call that is deferred, with a message
 */
public record ReceiveMessage(ReceiveCall call) {
  private static final String NO_MESSAGE = "the call has no message";

  /** Whether a call is received in this way: it acts, and has a message. */
  public static boolean applies(ReceiveCall call) {
    return call.intent() instanceof Intent.Act
        && !call.isNotification()
        && call.deferral() != null
        && call.deferral().message() != null;
  }

  /** The key of the message: no two of its sender to one agent have the same. */
  @TargetEntityId
  public SentMessageKey key() {
    return new SentMessageKey(call.principal().name(), call.agent(), message().messageId());
  }

  public IdentifiedMessage message() {
    Deferral deferral = Objects.requireNonNull(call.deferral(), NO_MESSAGE);
    return Objects.requireNonNull(deferral.message(), NO_MESSAGE);
  }
}
