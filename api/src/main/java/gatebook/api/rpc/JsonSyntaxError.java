package gatebook.api.rpc;

import gatebook.events.fault.Malformed;
import java.io.Serial;

/** A syntax error that ends the reading of a JSON text. It never leaves this package. */
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
