package gatebook.command.resume;

import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** What became of a call that was held. */
public sealed interface Resumption {

  /** It goes to the source now. */
  record Forwarded(Source source) implements Resumption {}

  /** It ends here; {@code denial} is why a gate said no, absent when none did. */
  record Refused(Fault fault, Told told, @Nullable DenialReason denial) implements Resumption {}

  /** Nobody has decided, and there is still time. */
  record StillHeld() implements Resumption {}

  /** It has ended otherwise, or went on before. */
  record Gone() implements Resumption {}
}
