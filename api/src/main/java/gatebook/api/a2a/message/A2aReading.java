package gatebook.api.a2a.message;

import gatebook.events.fault.Misdirected.InvalidParams;

/** A result of reading a request of A2A. */
public sealed interface A2aReading {

  /** It is well-formed. */
  record Understood(A2aRequest request) implements A2aReading {}

  /** It is not; the fault names each parameter that does not fit. */
  record Rejected(InvalidParams fault) implements A2aReading {}
}
