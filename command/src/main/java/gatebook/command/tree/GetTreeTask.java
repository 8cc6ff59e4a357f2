package gatebook.command.tree;

import java.util.Optional;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Gets one task of a tree for its owner.
 *
 * @param rulesHash of the rules in force
 */
public record GetTreeTask(@TargetEntityId TaskKey key, String rulesHash) {

  /** Empty when the owner has no such task. */
  public record Result(Optional<ReadTask> task) {}
}
