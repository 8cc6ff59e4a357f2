package gatebook.command.tree;

import org.axonframework.modelling.annotation.TargetEntityId;

/** A command about one task of a tree, which is decided on what the journal holds of that task. */
public interface TreeTaskCommand {

  /** The task whose entity is loaded. */
  @TargetEntityId
  TaskKey key();
}
