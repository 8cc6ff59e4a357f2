package gatebook.command.axon;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.messaging.commandhandling.CommandBus;
import org.axonframework.messaging.commandhandling.CommandHandler;
import org.axonframework.messaging.commandhandling.CommandMessage;
import org.axonframework.messaging.commandhandling.CommandResultMessage;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.jspecify.annotations.Nullable;

/**
 * A command bus that chooses by the command the executor that handles it: some commands read the
 * journal, and threads that serve callers must not wait for that.
 */
final class ExecutorCommandBus implements CommandBus {
  private final CommandBus bus;
  private final Function<CommandMessage, Executor> executors;

  ExecutorCommandBus(CommandBus bus, Function<CommandMessage, Executor> executors) {
    this.bus = bus;
    this.executors = executors;
  }

  @Override
  public CompletableFuture<CommandResultMessage> dispatch(
      CommandMessage command, @Nullable ProcessingContext context) {
    Executor executor = executors.apply(command);
    return executor.equals(CommandConfiguration.ON_THE_SENDERS_THREAD)
        ? bus.dispatch(command, context)
        : CompletableFuture.completedFuture(command)
            .thenComposeAsync(it -> bus.dispatch(it, context), executor);
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
