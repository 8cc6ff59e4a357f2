package gatebook.api.gateway;

import gatebook.events.TreeTaskEvent;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The changes of tasks that their owner makes while their tree runs, as this node and others record
 * them in the journal: tasks are cancelled, updated and deleted.
 */
public interface RecordedTaskChanges {

  /** For a process without ports: no request to change a task reaches its journal. */
  RecordedTaskChanges NONE =
      new RecordedTaskChanges() {
        @Override
        public Runnable follow(UUID treeId, Consumer<TreeTaskEvent> onChange) {
          return () -> {};
        }

        @Override
        public long position() {
          return Long.MAX_VALUE;
        }
      };

  /**
   * Reports the changes of a tree's tasks, from now on and in the order of the journal.
   *
   * @param onChange receives each change, and must not fail
   * @return stops the reports
   */
  Runnable follow(UUID treeId, Consumer<TreeTaskEvent> onChange);

  /** The position in the journal up to which every change was reported to who followed it. */
  long position();

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
