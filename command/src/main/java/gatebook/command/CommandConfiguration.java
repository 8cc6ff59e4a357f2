package gatebook.command;

import gatebook.command.activate.ActivateRules;
import gatebook.command.activate.Activating;
import gatebook.command.activate.RejectRules;
import gatebook.command.gate.Sources;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.receive.Receiving;
import gatebook.command.refuse.RefuseMessage;
import gatebook.command.refuse.Refusing;
import gatebook.command.settle.SettleCall;
import gatebook.command.settle.Settling;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.axonframework.common.configuration.ModuleBuilder;
import org.axonframework.messaging.commandhandling.CommandHandler;
import org.axonframework.messaging.commandhandling.GenericCommandResultMessage;
import org.axonframework.messaging.commandhandling.configuration.CommandHandlingModule;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;

/**
 * Every command there is and who decides it.
 *
 * <p>A handler is plumbing: it asks for the decision, appends its events at once, and answers with
 * its outcome when they are durable. Refusals are outcomes; a failed command stored nothing, or
 * says that nobody knows.
 */
public final class CommandConfiguration {

  private static final MessageType OUTCOME = new MessageType("gatebook.Outcome");

  private final Supplier<Sources> sources;
  private final Telling telling;
  private final InstantSource clock;

  public CommandConfiguration(Supplier<Sources> sources, Telling telling, InstantSource clock) {
    this.sources = sources;
    this.telling = telling;
    this.clock = clock;
  }

  /** To be registered with the framework that runs the handlers. */
  public ModuleBuilder<CommandHandlingModule> handlers() {
    Receiving receiving = new Receiving(sources, telling, clock, System::nanoTime);
    Settling settling = new Settling(telling, clock);
    Refusing refusing = new Refusing(telling);
    Activating activating = new Activating(clock);
    return CommandHandlingModule.named("calls")
        .commandHandlers()
        .commandHandler(named(ReceiveCall.class), deciding(ReceiveCall.class, receiving::decide))
        .commandHandler(named(SettleCall.class), deciding(SettleCall.class, settling::decide))
        .commandHandler(named(RefuseMessage.class), deciding(RefuseMessage.class, refusing::decide))
        .commandHandler(
            named(ActivateRules.class), deciding(ActivateRules.class, activating::decide))
        .commandHandler(named(RejectRules.class), deciding(RejectRules.class, activating::decide));
  }

  private static QualifiedName named(Class<?> command) {
    return new QualifiedName(command);
  }

  private static <C, R> CommandHandler deciding(Class<C> type, Function<C, Decision<R>> decisions) {
    return (message, context) -> {
      Decision<R> decision =
          decisions.apply(
              type.cast(Objects.requireNonNull(message.payload(), "a command has content")));
      EventAppender.forContext(context).append(decision.events());
      return MessageStream.just(new GenericCommandResultMessage(OUTCOME, decision.outcome()));
    };
  }
}
