package gatebook.api.flow.read;

import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.Fault;

/** A task as it would be after changes of its content. */
public sealed interface TaskUpdate {

  /** The changes are possible as far as the task alone shows. */
  record Changed(TaskDraft draft) implements TaskUpdate {}

  /** They are not; the fault has all problems. */
  record NotChanged(Fault fault) implements TaskUpdate {}
}
