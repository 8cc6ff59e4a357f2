package gatebook.api.a2a;

import gatebook.api.border.Methods;
import gatebook.api.dialect.A2aVersion;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods between agents. None is known yet, in any version. */
public final class A2aMethods implements Methods {

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Aim aim(String method, @Nullable String params, @Nullable String version) {
    return version == null || A2aVersion.supported(version).isPresent()
        ? new Aim.Unservable(new MethodNotFound(method))
        : new Aim.Unservable(new VersionNotSupported(version, A2aVersion.texts()));
  }

  @Override
  public Optional<String> arguments(String method, @Nullable String params) {
    return Optional.ofNullable(params);
  }

  @Override
  public String answer(String method, @Nullable String params) {
    throw new IllegalStateException("no method is answered here");
  }
}
