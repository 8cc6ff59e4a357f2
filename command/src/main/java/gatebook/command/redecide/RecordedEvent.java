package gatebook.command.redecide;

import gatebook.events.CallEvent;
import java.time.Instant;

/** An event of a call, with its place in the journal and the time it was written. */
public record RecordedEvent(long position, Instant at, CallEvent event) {}
