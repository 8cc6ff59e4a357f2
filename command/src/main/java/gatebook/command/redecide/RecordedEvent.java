package gatebook.command.redecide;

import gatebook.events.CallEvent;
import java.time.Instant;

/** A recorded event of a call, with its position in the journal and the time it was written. */
public record RecordedEvent(long position, Instant at, CallEvent event) {}
