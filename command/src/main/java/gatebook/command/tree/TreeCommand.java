package gatebook.command.tree;

import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/** A command about one tree of tasks, which is decided on all that the journal holds of it. */
public interface TreeCommand {

  /** The tree whose entity is loaded. */
  @TargetEntityId
  UUID treeId();
}
