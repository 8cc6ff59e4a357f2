package gatebook.api.gateway;

import java.util.UUID;
import java.util.function.Consumer;

/** The cancellations that this node and others record in the journal. */
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

  /**
   * Reports the cancellation of a call that is a task, from now on; by default, none is reported.
   *
   * @param onCancelled must not fail; it may run more than once
   * @return stops the reports
   */
  default Runnable followCall(UUID callId, Runnable onCancelled) {
    return () -> {};
  }
}
