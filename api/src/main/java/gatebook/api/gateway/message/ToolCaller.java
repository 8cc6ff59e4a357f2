package gatebook.api.gateway.message;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Calls tools for tasks, through the gates. */
public interface ToolCaller {

  /** The id of a call that is to be made. */
  UUID nextCallId();

  /**
   * Calls a tool.
   *
   * @param params the text of an object with the tool's name and its arguments
   * @param connection reports when the task is cancelled
   * @param holdListener learns when the call has to wait for an approval
   */
  CompletableFuture<Reply> call(
      TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener);

  /**
   * Waits for the end of a call that had to wait for an approval when the process that made it
   * died.
   *
   * @param heldId by which its outcome can be got
   * @param holdListener learns whether it still waits, and when it goes on
   */
  CompletableFuture<Reply> await(
      TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener);
}
