package gatebook.api.rpc;

import gatebook.events.fault.Malformed;
import java.io.Serial;

/** Ends the reading of a text; it never leaves this package. */
final class JsonSyntaxError extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Malformed fault;

  JsonSyntaxError(Malformed fault) {
    super(fault.kind(), null, false, false);
    this.fault = fault;
  }

  Malformed fault() {
    return fault;
  }
}
