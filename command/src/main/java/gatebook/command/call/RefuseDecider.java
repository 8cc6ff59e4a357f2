package gatebook.command.call;

import gatebook.events.MessageRefused;
import gatebook.events.call.ErrorResponse;
import java.util.List;

/** Refuses messages that are not calls: decides the error response to the sender. */
public final class RefuseDecider {

  private final FaultTranslator faultTranslator;

  public RefuseDecider(FaultTranslator faultTranslator) {
    this.faultTranslator = faultTranslator;
  }

  public Decision<ErrorResponse> decide(RefuseMessage message) {
    ErrorResponse errorResponse =
        faultTranslator.translate(
            message.fault(), message.dialectVersion(), message.correlationId());
    return new Decision<>(
        List.of(
            new MessageRefused(
                message.callId(),
                message.correlationId(),
                message.dialectVersion().dialect(),
                message.transport(),
                message.principal(),
                message.rpcId(),
                message.sizeBytes(),
                FaultScrubber.scrub(message.fault(), faultTranslator.nameScrubber()),
                errorResponse)),
        errorResponse);
  }
}
