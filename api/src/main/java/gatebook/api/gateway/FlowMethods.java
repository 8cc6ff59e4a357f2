package gatebook.api.gateway;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The methods of the task-flow protocol. None is known yet. */
public final class FlowMethods implements DialectHandler {

  @Override
  public Dialect dialect() {
    return Dialect.FLOW;
  }

  @Override
  public Intent aim(Asking asking) {
    return new Intent.Unservable(new MethodNotFound(asking.method()));
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    return Optional.ofNullable(asking.params());
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    throw new IllegalStateException("no method is answered here");
  }
}
