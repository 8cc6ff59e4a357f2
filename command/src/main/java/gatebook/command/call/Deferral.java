package gatebook.command.call;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.SentMessage;
import org.jspecify.annotations.Nullable;

/**
 * The deferral of a call: how its caller can get the outcome later.
 *
 * @param taskId the id of the task, should one be created
 * @param ttlMillis how long the caller wants the task to be kept; absent when it does not say
 * @param contextId the conversation that the task belongs to; absent when it belongs to none
 * @param message that the caller sent; absent where it does not matter whether it is sent again
 */
public record Deferral(
    String taskId,
    Form form,
    Condition condition,
    @Nullable Long ttlMillis,
    @Nullable String contextId,
    @Nullable IdentifiedMessage message) {

  /** The deferral of a call that belongs to no conversation, and is no message. */
  public Deferral(String taskId, Form form, Condition condition, @Nullable Long ttlMillis) {
    this(taskId, form, condition, ttlMillis, null, null);
  }

  /** When a call is deferred. */
  public enum Condition {
    /** When it has to wait for an approval; the caller leaves it to the gateway. */
    IF_HELD,
    /** When it has to wait for an approval; the caller requested it. */
    IF_HELD_AS_REQUESTED,
    /** Always: in its protocol, every such call is a task. */
    ALWAYS
  }

  /** The task that the call becomes. */
  public TaskCreated created(ReceiveCall call, long keptMillis, @Nullable SentMessage sentMessage) {
    return new TaskCreated(
        call.callId(),
        taskId,
        form,
        call.receivedAt(),
        keptMillis,
        contextId,
        sentMessage,
        call.agent());
  }

  /** Whether it must not be left out where there can be a task. */
  public boolean isRequired() {
    return condition != Condition.IF_HELD;
  }

  public boolean isForEveryCall() {
    return condition == Condition.ALWAYS;
  }

  /** How long the task of a call is kept that waits for no approval. */
  public long ttlMillis(GatewayLimits gatewayLimits) {
    return Math.min(
        ttlMillis == null ? gatewayLimits.get(Limit.TASK_KEPT_MILLIS) : ttlMillis,
        gatewayLimits.get(Limit.TASK_MILLIS_MAX));
  }

  /** How long the task is kept: at least until the deadline of its approval. */
  public long ttlMillis(ApprovalWorkflow approvalWorkflow, GatewayLimits gatewayLimits) {
    long usual = approvalWorkflow.timeoutMillis() + gatewayLimits.get(Limit.TASK_KEPT_MILLIS);
    long kept =
        Math.min(ttlMillis == null ? usual : ttlMillis, gatewayLimits.get(Limit.TASK_MILLIS_MAX));
    return Math.max(approvalWorkflow.timeoutMillis(), kept);
  }
}
