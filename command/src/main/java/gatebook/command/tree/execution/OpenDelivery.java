package gatebook.command.tree.execution;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.tree.TreeWebhook;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open delivery: the last message of a webhook was neither delivered nor given up.
 *
 * @param claimedAt since when a process delivers it
 * @param end of the execution; absent while it runs
 */
public record OpenDelivery(
    UUID treeId,
    String owner,
    UUID executionId,
    TreeWebhook webhook,
    Instant claimedAt,
    @Nullable TreeExecutionEnded end) {

  /** Absent when the execution has no webhook. */
  static @Nullable OpenDelivery of(TreeExecutionStarted started) {
    return started.webhook() == null
        ? null
        : new OpenDelivery(
            started.treeId(),
            started.owner(),
            started.executionId(),
            started.webhook(),
            started.startedAt(),
            null);
  }

  OpenDelivery ended(TreeExecutionEnded event) {
    return new OpenDelivery(treeId, owner, executionId, webhook, claimedAt, event);
  }

  OpenDelivery takenOver(Instant at) {
    return new OpenDelivery(treeId, owner, executionId, webhook, at, end);
  }
}
