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
  public Intent intent(DialectCall dialectCall) {
    return new Intent.Unservable(new MethodNotFound(dialectCall.method()));
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return Optional.ofNullable(dialectCall.params());
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    throw new IllegalStateException("no method is answered here");
  }
}
