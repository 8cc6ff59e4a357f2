package gatebook.command.tree.execution;

import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Gets the webhook of a tree's execution, as long as its last message is open.
 *
 * @param rulesHash of the rules in force
 */
public record GetWebhook(@TargetEntityId UUID executionId, String rulesHash) {

  /**
   * What was found.
   *
   * @param config the JSON that the execution started with; empty when there is no webhook, its
   *     last message was delivered or given up, or the configuration cannot be unsealed
   * @param end how the execution ended; empty while it runs
   */
  public record Result(Optional<String> config, Optional<End> end) {}

  /** How an execution ended. */
  public record End(TreeStatus status, List<String> blocked, Instant at) {
    public End {
      blocked = List.copyOf(blocked);
    }
  }
}
