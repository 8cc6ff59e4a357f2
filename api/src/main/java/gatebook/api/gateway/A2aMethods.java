package gatebook.api.gateway;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The methods between agents. None is known yet, in any version. */
public final class A2aMethods implements DialectHandler {

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Intent aim(Asking asking) {
    String version = asking.version();
    return version == null || A2aVersion.supported(version).isPresent()
        ? new Intent.Unservable(new MethodNotFound(asking.method()))
        : new Intent.Unservable(new VersionNotSupported(version, A2aVersion.texts()));
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
