package gatebook.command.call.approval;

import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** The outcome of resuming a held call. */
public sealed interface ResumeOutcome {

  /** It is forwarded to the source now. */
  record Forwarded(Source source) implements ResumeOutcome {}

  /** It ends here; {@code denialReason} is why a gate denied it, absent when none did. */
  record Refused(Fault fault, ErrorResponse errorResponse, @Nullable DenialReason denialReason)
      implements ResumeOutcome {}

  /** No operator has decided, and the deadline has not passed. */
  record StillHeld() implements ResumeOutcome {}

  /** It has ended otherwise, or was forwarded before. */
  record Gone() implements ResumeOutcome {}
}
