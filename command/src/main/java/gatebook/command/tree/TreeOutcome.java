package gatebook.command.tree;

import gatebook.command.call.Decision;
import gatebook.events.Event;
import gatebook.events.fault.TaskFault;
import java.util.List;

/** The outcome of a command about a tree of tasks. */
public sealed interface TreeOutcome {

  /** It is recorded. */
  record Done() implements TreeOutcome {}

  /** Nothing is recorded, for these faults, all of one kind; at least one. */
  record Refused(List<TaskFault> faults) implements TreeOutcome {
    public Refused {
      faults = List.copyOf(faults);
    }
  }

  /**
   * Nothing is recorded, since an execution is open. It runs no task: it starts another or ends in
   * a moment, after which the command may have another outcome.
   */
  record BetweenTasks(TaskFault fault) implements TreeOutcome {}

  static Decision<TreeOutcome> done(List<? extends Event> events) {
    return new Decision<>(List.copyOf(events), new Done());
  }

  static Decision<TreeOutcome> refused(TaskFault fault) {
    return refused(List.of(fault));
  }

  static Decision<TreeOutcome> refused(List<TaskFault> faults) {
    return new Decision<>(List.of(), new Refused(faults));
  }
}
