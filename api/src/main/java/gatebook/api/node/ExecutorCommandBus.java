package gatebook.api.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.messaging.commandhandling.CommandBus;
import org.axonframework.messaging.commandhandling.CommandHandler;
import org.axonframework.messaging.commandhandling.CommandMessage;
import org.axonframework.messaging.commandhandling.CommandResultMessage;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.jspecify.annotations.Nullable;

/**
 * A command bus that handles commands on an executor whose threads may block: the journal that a
 * handler reads may be in another process, and the sender may be on an event loop.
 */
final class ExecutorCommandBus implements CommandBus {

  private final CommandBus bus;
  private final Executor mayBlock;

  ExecutorCommandBus(CommandBus bus, Executor mayBlock) {
    this.bus = bus;
    this.mayBlock = mayBlock;
  }

  @Override
  public CompletableFuture<CommandResultMessage> dispatch(
      CommandMessage command, @Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(command)
        .thenComposeAsync(it -> bus.dispatch(it, context), mayBlock);
  }

  @Override
  public CommandBus subscribe(QualifiedName name, CommandHandler handler) {
    bus.subscribe(name, handler);
    return this;
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeWrapperOf(bus);
  }
}
