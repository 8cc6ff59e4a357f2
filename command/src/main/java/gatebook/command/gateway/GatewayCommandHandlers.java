package gatebook.command.gateway;

import java.time.Instant;
import java.time.InstantSource;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.modelling.annotation.InjectEntity;

/** Handles the commands that record what concerns the whole gateway: rules and outages. */
public final class GatewayCommandHandlers {
  private final ActivationDecider activationDecider;

  public GatewayCommandHandlers(InstantSource clock) {
    this.activationDecider = new ActivationDecider(clock);
  }

  @CommandHandler
  Instant handle(ActivateRules command, EventAppender events) {
    return activationDecider.decide(command).appendTo(events);
  }

  @CommandHandler
  Instant handle(
      ObserveRules command, @InjectEntity ObservedRulesEntity observed, EventAppender events) {
    return activationDecider.decide(command, observed.isRecorded()).appendTo(events);
  }

  @CommandHandler
  Instant handle(RejectRules command, EventAppender events) {
    return activationDecider.decide(command).appendTo(events);
  }

  @CommandHandler
  Boolean handle(ReportOutage command, EventAppender events) {
    return ReportOutage.decide(command).appendTo(events);
  }
}
