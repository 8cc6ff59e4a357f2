package gatebook.command.tree.execution;

import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * A command about one execution of a tree, or about its webhook, which is decided on what the
 * journal holds of that execution: the tree is not loaded.
 */
public interface TreeExecutionCommand {

  /** The execution whose entity is loaded. */
  @TargetEntityId
  UUID executionId();
}
