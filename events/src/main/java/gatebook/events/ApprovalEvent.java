package gatebook.events;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of an approval: the question whether a call may go on, put to a person. It is also found
 * by the tag {@code approval} and, when the call is a task, {@code task}.
 */
public sealed interface ApprovalEvent extends CallEvent
    permits ApprovalRequested, ApprovalGranted, ApprovalRejected, ApprovalTimedOut {

  /** The id of the approval. */
  UUID approvalId();

  /** The task that the caller polls; absent when the caller waits for the call itself. */
  @Nullable String taskId();
}
