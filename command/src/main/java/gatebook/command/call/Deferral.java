package gatebook.command.call;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.TaskCreated.Form;
import org.jspecify.annotations.Nullable;

/**
 * How a caller can come back for the outcome of a call that has to wait for a person.
 *
 * @param taskId what he is told to come back with, should it come to that
 * @param wanted whether he asked for it; else it is ours to choose
 * @param ttlMillis how long he wants the task to be kept; absent when he does not say
 */
public record Deferral(String taskId, Form form, boolean wanted, @Nullable Long ttlMillis) {

  /** How long the task is kept: never shorter than somebody may decide about it. */
  long ttlMillis(ApprovalWorkflow approvalWorkflow, GatewayLimits gatewayLimits) {
    long usual = approvalWorkflow.timeoutMillis() + gatewayLimits.taskKeptMillis();
    long kept = Math.min(ttlMillis == null ? usual : ttlMillis, gatewayLimits.taskMillisMax());
    return Math.max(approvalWorkflow.timeoutMillis(), kept);
  }
}
