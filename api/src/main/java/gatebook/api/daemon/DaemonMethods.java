package gatebook.api.daemon;

import gatebook.api.border.Methods;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods of the daemon. None is known yet. */
public final class DaemonMethods implements Methods {

  @Override
  public Dialect dialect() {
    return Dialect.DAEMON;
  }

  @Override
  public Aim aim(String method, @Nullable String params, @Nullable String version) {
    return new Aim.Unservable(new MethodNotFound(method));
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
