package gatebook.command.call;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;

/**
 * Puts a fault into a caller's words, so that what was told is recorded together with the fault.
 *
 * <p>Every fault can be told in every tongue, and telling never throws.
 */
@FunctionalInterface
public interface FaultTranslator {
  ErrorResponse tell(Fault fault, DialectVersion dialectVersion, String correlationId);

  /**
   * Takes secrets out of names that callers chose, and of reasons that people gave, before they are
   * recorded and shown. What decides about a call, and what its source is sent, is the real name.
   */
  default Scrubber names() {
    return Scrubber.NAMES;
  }
}
