package gatebook.api.a2a;

import gatebook.api.border.Methods;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The methods between agents. None is known yet, in any version. */
public final class A2aMethods implements Methods {

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Aim aim(Asking asking) {
    String version = asking.version();
    return version == null || A2aVersion.supported(version).isPresent()
        ? new Aim.Unservable(new MethodNotFound(asking.method()))
        : new Aim.Unservable(new VersionNotSupported(version, A2aVersion.texts()));
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
