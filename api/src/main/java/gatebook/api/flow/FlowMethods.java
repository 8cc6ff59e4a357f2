package gatebook.api.flow;

import gatebook.api.border.Methods;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The methods of the task-flow protocol. None is known yet. */
public final class FlowMethods implements Methods {

  @Override
  public Dialect dialect() {
    return Dialect.FLOW;
  }

  @Override
  public Aim aim(Asking asking) {
    return new Aim.Unservable(new MethodNotFound(asking.method()));
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
