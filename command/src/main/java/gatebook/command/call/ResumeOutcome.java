package gatebook.command.call;

import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** What became of a call that was held. */
public sealed interface ResumeOutcome {

  /** It goes to the source now. */
  record Forwarded(Source source) implements ResumeOutcome {}

  /** It ends here; {@code denial} is why a gate said no, absent when none did. */
  record Refused(Fault fault, ErrorResponse told, @Nullable DenialReason denial)
      implements ResumeOutcome {}

  /** Nobody has decided, and there is still time. */
  record StillHeld() implements ResumeOutcome {}

  /** It has ended otherwise, or went on before. */
  record Gone() implements ResumeOutcome {}
}
