package gatebook.api.gateway;

import com.fasterxml.jackson.core.JacksonException;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.IoError;
import gatebook.events.fault.ServerFault.SerializationError;
import java.io.IOException;

/** The faults for unexpected failures of the gateway. Callers cannot tell them apart. */
final class ServerFaults {

  private ServerFaults() {}

  /** The fault for a failure in the operation that {@code doing} names. */
  static Fault of(String doing, Throwable failure) {
    Throwable root = rootOf(failure);
    String what = "%s: %s".formatted(doing, root.getClass().getSimpleName());
    return switch (root) {
      case JacksonException _ -> new SerializationError(what);
      case IOException _ -> new IoError(what);
      case Throwable _ -> new InternalError(doing, root.getClass().getSimpleName());
    };
  }

  private static Throwable rootOf(Throwable failure) {
    return failure.getCause() == null ? failure : rootOf(failure.getCause());
  }
}
