package gatebook.command.call;

import gatebook.events.MessageRefused;
import gatebook.events.call.ErrorResponse;
import java.util.List;

/** Decides what the sender of a message that is no call is told. */
public final class RefuseDecider {

  private final FaultTranslator faultTranslator;

  public RefuseDecider(FaultTranslator faultTranslator) {
    this.faultTranslator = faultTranslator;
  }

  public Decision<ErrorResponse> decide(RefuseMessage message) {
    ErrorResponse errorResponse =
        faultTranslator.tell(message.fault(), message.tongue(), message.correlationId());
    return new Decision<>(
        List.of(
            new MessageRefused(
                message.callId(),
                message.correlationId(),
                message.tongue().dialect(),
                message.transport(),
                message.principal(),
                message.rpcId(),
                message.sizeBytes(),
                FaultScrubber.scrubbed(message.fault(), faultTranslator.names()),
                errorResponse)),
        errorResponse);
  }
}
