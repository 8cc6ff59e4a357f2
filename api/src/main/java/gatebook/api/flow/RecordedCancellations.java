package gatebook.api.flow;

import java.util.UUID;
import java.util.function.Consumer;

/** The cancellations of tasks that this node and others record in the journal. */
@FunctionalInterface
public interface RecordedCancellations {

  /** For a process without ports: no request to cancel a task reaches its journal. */
  RecordedCancellations NONE = (_, _) -> () -> {};

  /**
   * Reports the cancelled tasks of a tree, from now on and in the order of the journal.
   *
   * @param onCancelled receives the id of a task, and must not fail
   * @return stops the reports
   */
  Runnable follow(UUID treeId, Consumer<String> onCancelled);
}
