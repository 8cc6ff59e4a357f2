package gatebook.api.gateway;

import gatebook.events.journal.Append;
import gatebook.events.journal.axon.AppendRefused;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.commandhandling.gateway.CommandResult;
import org.axonframework.messaging.core.Metadata;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.jspecify.annotations.Nullable;

/** Takes commands, and has them decided as the test says. */
final class Commands implements CommandGateway {

  static final Append.Refused STOPPED = new Append.Unavailable("the disk is full");

  private final List<Object> sent = new CopyOnWriteArrayList<>();
  private volatile Function<Object, CompletableFuture<?>> deciding;

  Commands(Function<Object, CompletableFuture<?>> deciding) {
    this.deciding = deciding;
  }

  /** Each is recorded, and comes to this. */
  static Commands comingTo(Object outcome) {
    return new Commands(_ -> CompletableFuture.completedFuture(outcome));
  }

  static CompletableFuture<?> refused(Append.Refused refusal) {
    return CompletableFuture.failedFuture(new AppendRefused(refusal));
  }

  void decide(Function<Object, CompletableFuture<?>> newDeciding) {
    deciding = newDeciding;
  }

  /** From now on nothing can be recorded. */
  void stop() {
    deciding = _ -> refused(STOPPED);
  }

  List<Object> sent() {
    return List.copyOf(sent);
  }

  @Override
  public <R> CompletableFuture<R> send(
      Object command, Class<R> outcome, @Nullable ProcessingContext context) {
    sent.add(command);
    return deciding.apply(command).thenApply(outcome::cast);
  }

  @Override
  public CommandResult send(
      Object command, Metadata metadata, @Nullable ProcessingContext context) {
    throw new UnsupportedOperationException("nobody asks for more than the outcome");
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    throw new UnsupportedOperationException("nobody asks what this is");
  }
}
