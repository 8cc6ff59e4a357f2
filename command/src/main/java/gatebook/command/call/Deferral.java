package gatebook.command.call;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.TaskCreated.Form;
import org.jspecify.annotations.Nullable;

/**
 * The deferral of a call that has to wait for an approval: how its caller can get the outcome
 * later.
 *
 * @param taskId the id of the task, should one be created
 * @param requested whether the caller requested a task; otherwise the gateway chooses
 * @param ttlMillis how long the caller wants the task to be kept; absent when it does not say
 */
public record Deferral(String taskId, Form form, boolean requested, @Nullable Long ttlMillis) {

  /** How long the task is kept: at least until the deadline of its approval. */
  long ttlMillis(ApprovalWorkflow approvalWorkflow, GatewayLimits gatewayLimits) {
    long usual = approvalWorkflow.timeoutMillis() + gatewayLimits.taskKeptMillis();
    long kept = Math.min(ttlMillis == null ? usual : ttlMillis, gatewayLimits.taskMillisMax());
    return Math.max(approvalWorkflow.timeoutMillis(), kept);
  }
}
