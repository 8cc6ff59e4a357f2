package gatebook.api.operator;

import gatebook.command.call.DecideApproval;
import java.util.concurrent.CompletableFuture;

/** Has an operator's answer decided; the outcome comes when it is durable. */
@FunctionalInterface
public interface ApprovalSender {
  CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command);
}
