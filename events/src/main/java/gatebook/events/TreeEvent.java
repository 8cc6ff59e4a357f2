package gatebook.events;

import java.util.UUID;

/** An event of a tree of tasks; all events of a tree are found by the tag {@code tree}. */
public sealed interface TreeEvent extends Event permits TreeTaskEvent, TreeExecutionEvent {

  UUID treeId();

  /** The name of the principal that created the tree. */
  String owner();
}
