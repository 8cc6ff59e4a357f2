package gatebook.events.journal;

import gatebook.events.journal.axon.EventMessages;
import gatebook.events.journal.axon.FollowableStorageEngine;
import gatebook.events.journal.storage.JournalSettings;
import java.util.Set;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.json.JacksonConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.commandhandling.configuration.CommandHandlingModule;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The journal through Axon, as the gateway uses it: command gateway, handler, event appender,
 * engine.
 */
public final class AxonSubject implements AppendSubject {
  private final Journal journal;
  private final AxonConfiguration axon;
  private final CommandGateway gateway;

  public AxonSubject(JournalSettings settings) {
    this.journal = Journals.opened(settings);
    this.axon =
        EventSourcingConfigurer.create()
            .registerEventStorageEngine(_ ->
                new FollowableStorageEngine(journal, new EventMessages(new JacksonConverter())))
            .registerTagResolver(_ -> AxonSubject::tags)
            .registerCommandHandlingModule(
                CommandHandlingModule.named("gate")
                    .commandHandlers()
                    .annotatedCommandHandlingComponent(_ -> new Gate()))
            .start();
    this.gateway = axon.getComponent(CommandGateway.class);
  }

  /**
   * The tags of the event, without annotations, as in the gateway; Axon's own resolver looks for
   * annotations.
   */
  private static Set<Tag> tags(EventMessage event) {
    return event.payload() instanceof DeniedCall.Denied denied
        ? Set.of(new Tag("call", denied.callId()))
        : Set.of();
  }

  record DenyCall(String callId) {}

  static final class Gate {
    @CommandHandler
    void handle(DenyCall command, EventAppender events) {
      events.append(DeniedCall.denied(command.callId()));
    }
  }

  @Override
  public AppendSample measure(int callers, double eventsPerBatch, long millis) {
    Batches batches = new Batches(journal.figures());
    return AppendLoad.run(
            callers,
            millis,
            () -> gateway.send(new DenyCall(DeniedCall.newCallId())).getResultMessage())
        .withEventsPerBatch(batches.eventsPerBatch());
  }

  @Override
  public void close() {
    axon.shutdown();
    journal.close();
  }
}
