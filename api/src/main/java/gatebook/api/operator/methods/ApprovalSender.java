package gatebook.api.operator.methods;

import gatebook.command.call.approval.DecideApproval;
import java.util.concurrent.CompletableFuture;

/**
 * Sends an operator's approval or rejection to the decision; the outcome comes when it is durable.
 */
@FunctionalInterface
public interface ApprovalSender {
  CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command);
}
