package gatebook.command.call;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;

/**
 * Translates a fault into an error response of the caller's dialect, so that the response is
 * recorded together with the fault.
 *
 * <p>Every fault has a response in every dialect; translation never throws.
 */
@FunctionalInterface
public interface FaultTranslator {
  ErrorResponse translate(Fault fault, DialectVersion dialectVersion, String correlationId);

  /**
   * Removes secrets from names that callers chose, and from reasons that people gave, before they
   * are recorded and shown. Decisions about a call, and what its source is sent, use the original
   * name.
   */
  default Scrubber nameScrubber() {
    return Scrubber.NAMES;
  }

  /**
   * The recorded form of a response: without ids that look like secrets, which callers get as they
   * sent them.
   */
  default ErrorResponse recorded(
      ErrorResponse told, Fault fault, DialectVersion dialectVersion, String correlationId) {
    Fault scrubbed = FaultScrubber.scrub(fault, nameScrubber());
    return fault instanceof TaskFault && !scrubbed.equals(fault)
        ? translate(scrubbed, dialectVersion, correlationId)
        : told;
  }
}
