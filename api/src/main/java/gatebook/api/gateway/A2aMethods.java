package gatebook.api.gateway;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The methods of A2A. None is known yet, in any version. */
public final class A2aMethods implements DialectHandler {

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    String version = dialectCall.version();
    return version == null || A2aVersion.supported(version).isPresent()
        ? new Intent.Unservable(new MethodNotFound(dialectCall.method()))
        : new Intent.Unservable(new VersionNotSupported(version, A2aVersion.texts()));
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
