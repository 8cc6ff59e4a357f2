package gatebook.api.flow.webhook;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of a webhook about a fact of an execution.
 *
 * @param type what happened
 * @param taskId the task that it is about; at the end, the one that was executed
 * @param status of that task; at the end, of the execution
 * @param progress of the execution, from 0 to 1
 * @param text the same for people
 * @param result the JSON of the task's result; absent unless it is completed
 * @param error absent unless something failed or was cancelled
 */
public record WebhookMessage(
    String type,
    String taskId,
    TreeStatus status,
    double progress,
    String text,
    Instant at,
    boolean isFinal,
    @Nullable String result,
    @Nullable String error) {

  /** The message about a fact; the end of the execution is told as one about a task. */
  public static WebhookMessage of(ExecutionFact fact, double progress, String taskId) {
    return switch (fact) {
      case ExecutionFact.TaskStarted(var id, var at) ->
          running(fact.type(), id, progress, "Task started", at);
      case ExecutionFact.TaskHeld(var id, var at) ->
          running(fact.type(), id, progress, "Task waits for an approval", at);
      case ExecutionFact.TaskRetried(var id, _, var at) ->
          running("progress", id, progress, "Task is tried again", at);
      case ExecutionFact.TaskEnded end -> ended(end, progress);
      case ExecutionFact.ExecutionEnded(var status, _, var at) ->
          new WebhookMessage(
              fact.type(), taskId, status, 1, "Execution " + status.word(), at, true, null, null);
    };
  }

  private static WebhookMessage running(
      String type, String id, double progress, String text, Instant at) {
    return new WebhookMessage(
        type, id, TreeStatus.IN_PROGRESS, progress, text, at, false, null, null);
  }

  private static WebhookMessage ended(ExecutionFact.TaskEnded end, double progress) {
    return new WebhookMessage(
        end.type(),
        end.task().id(),
        end.status(),
        progress,
        "Task " + end.status().word(),
        end.at(),
        false,
        end.result(),
        end.error());
  }

  /** This message with the result or the error of its task. */
  public WebhookMessage with(ReadTask read) {
    ExecutionFact.TaskEnded end = new ExecutionFact.TaskEnded(read);
    return with(end.result(), end.error());
  }

  public WebhookMessage with(@Nullable String newResult, @Nullable String newError) {
    return new WebhookMessage(
        type, taskId, status, progress, text, at, isFinal, newResult, newError);
  }

  /** The JSON that the receiver gets. */
  String json(String rootTaskId) {
    return """
    {"protocol":"jsonrpc","root_task_id":%s,"task_id":%s,"status":"%s","progress":%s,\
    "message":%s,"type":"%s","timestamp":"%s","final":%b%s%s}\
    """
        .formatted(
            quoted(rootTaskId),
            quoted(taskId),
            status.word(),
            Double.toString(progress),
            quoted(text),
            type,
            at,
            isFinal,
            result == null ? "" : ",\"result\":" + result,
            error == null ? "" : ",\"error\":" + quoted(error));
  }
}
