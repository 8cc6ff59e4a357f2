package gatebook.command.tree;

import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * A command about the webhook of a tree's execution, which is decided on what the journal holds of
 * that execution.
 */
public interface TreeWebhookCommand {

  /** The execution whose entity is loaded. */
  @TargetEntityId
  UUID executionId();
}
