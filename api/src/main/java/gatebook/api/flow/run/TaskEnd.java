package gatebook.api.flow.run;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TreeStatus;
import org.jspecify.annotations.Nullable;

/** The end of a task in one execution, or of an attempt to start it. */
sealed interface TaskEnd {

  /**
   * It has this status.
   *
   * @param result the JSON of its result; absent unless it is completed
   */
  record Ended(TreeStatus status, @Nullable String result) implements TaskEnd {}

  /** It did not start: its owner had changed it since it was scheduled. */
  record Changed(ReadTask task) implements TaskEnd {}

  /** It did not start: its owner had deleted it. */
  record Deleted() implements TaskEnd {}

  /** It could not be run. */
  record NotRun() implements TaskEnd {}
}
