package gatebook.command.call;

import gatebook.command.rules.Source;
import gatebook.events.TaskCreated;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** What became of a call that came in. */
public sealed interface ReceiveOutcome {

  /** It goes to the source now. */
  record Forwarded(Source source) implements ReceiveOutcome {}

  /** A person is asked, and it waits. */
  record Held(HeldCall hold) implements ReceiveOutcome {}

  /** A person is asked, and the caller comes back for what comes of it. */
  record Deferred(HeldCall hold, TaskCreated task) implements ReceiveOutcome {}

  /** It is answered here. */
  record Admitted() implements ReceiveOutcome {}

  /** It ends here; {@code denial} is why a gate said no, absent when none did. */
  record Refused(Fault fault, ErrorResponse told, @Nullable DenialReason denial)
      implements ReceiveOutcome {}
}
