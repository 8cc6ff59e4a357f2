package gatebook.api.node;

import gatebook.command.call.OrphanCall;
import gatebook.query.trees.OpenExecution;
import gatebook.query.trees.OpenWebhook;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Closes or resumes orphaned calls, which a dead process left open. */
interface OrphanHandler {

  /** Closes a call unless it has ended or can be resumed; completes with whether it was closed. */
  CompletableFuture<Boolean> close(OrphanCall call);

  /** Resumes a task, whose caller comes back for the outcome. */
  void resume(UUID callId);

  /** Takes over the execution of a tree of tasks. */
  CompletableFuture<Void> takeOver(OpenExecution execution);

  /** Takes over the webhook of an execution that ended. */
  CompletableFuture<Void> takeOver(OpenWebhook webhook);
}
