package gatebook.command.receive;

import gatebook.command.rules.Source;
import gatebook.events.TaskCreated;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** What became of a call that came in. */
public sealed interface Reception {

  /** It goes to the source now. */
  record Forwarded(Source source) implements Reception {}

  /** A person is asked, and it waits. */
  record Held(Hold hold) implements Reception {}

  /** A person is asked, and the caller comes back for what comes of it. */
  record Deferred(Hold hold, TaskCreated task) implements Reception {}

  /** It is answered here. */
  record Admitted() implements Reception {}

  /** It ends here; {@code denial} is why a gate said no, absent when none did. */
  record Refused(Fault fault, Told told, @Nullable DenialReason denial) implements Reception {}
}
