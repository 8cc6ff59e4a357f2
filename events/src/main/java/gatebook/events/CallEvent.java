package gatebook.events;

import java.util.UUID;

/** An event of one call; all events of a call are found by the tag {@code call}. */
public sealed interface CallEvent extends Event
    permits CallReceived,
        CallAdmitted,
        GateDenied,
        ApprovalEvent,
        TaskEvent,
        CallForwarded,
        AgentTaskCreated,
        SourceAsked,
        CallerReplied,
        CallEnd {

  /** The gateway's id of the call: unique and ordered by time (UUID version 7). */
  UUID callId();
}
