package gatebook.events;

import java.util.UUID;

/** Something that happened to one call; the call's events are found by the tag {@code call}. */
public sealed interface CallEvent extends Event
    permits CallReceived,
        CallAdmitted,
        GateDenied,
        ApprovalEvent,
        TaskEvent,
        CallForwarded,
        SourceAsked,
        CallerReplied,
        CallEnd {

  /** Our own name for the call: unique and ordered by time (UUID version 7). */
  UUID callId();
}
