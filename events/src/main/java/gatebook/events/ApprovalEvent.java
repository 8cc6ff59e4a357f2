package gatebook.events;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a question put to a person; also found by the tags {@code approval}
 * and, when the call is a task, {@code task}.
 */
public sealed interface ApprovalEvent extends CallEvent
    permits ApprovalRequested, ApprovalGranted, ApprovalRejected, ApprovalTimedOut {

  /** The question. */
  UUID approvalId();

  /** The task under which the caller waits, absent when the call itself waits. */
  @Nullable String taskId();
}
