package gatebook.api.gateway.message;

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

/** A command gateway whose commands are decided by the test. */
public final class FakeCommandGateway implements CommandGateway {

  public static final Append.Refused STOPPED = new Append.Unavailable("the disk is full");

  private final List<Object> sent = new CopyOnWriteArrayList<>();
  private volatile Function<Object, CompletableFuture<?>> decision;

  public FakeCommandGateway(Function<Object, CompletableFuture<?>> decision) {
    this.decision = decision;
  }

  /** Every command succeeds with this outcome. */
  public static FakeCommandGateway withOutcome(Object outcome) {
    return new FakeCommandGateway(_ -> CompletableFuture.completedFuture(outcome));
  }

  public static CompletableFuture<?> refused(Append.Refused refusal) {
    return CompletableFuture.failedFuture(new AppendRefused(refusal));
  }

  public void decide(Function<Object, CompletableFuture<?>> newDecision) {
    decision = newDecision;
  }

  /** From now on the journal refuses everything. */
  public void stop() {
    decision = _ -> refused(STOPPED);
  }

  public List<Object> sent() {
    return List.copyOf(sent);
  }

  @Override
  public <R> CompletableFuture<R> send(
      Object command, Class<R> outcome, @Nullable ProcessingContext context) {
    sent.add(command);
    return decision.apply(command).thenApply(outcome::cast);
  }

  @Override
  public CommandResult send(
      Object command, Metadata metadata, @Nullable ProcessingContext context) {
    throw new UnsupportedOperationException("only the outcome is used");
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    throw new UnsupportedOperationException("not used");
  }
}
