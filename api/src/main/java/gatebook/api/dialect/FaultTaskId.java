package gatebook.api.dialect;

import gatebook.events.fault.TaskFault;
import org.jspecify.annotations.Nullable;

/** The id of the task that a fault is about. */
final class FaultTaskId {

  private FaultTaskId() {}

  static @Nullable String of(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound(var id) -> id;
      case TaskFault.TaskExpired(var id, _) -> id;
      case TaskFault.TaskCancelled(var id) -> id;
      case TaskFault.TaskNotCancelable(var id, _) -> id;
      case TaskFault.InvalidStateTransition(var id, _, _, _) -> id;
      case TaskFault.TaskAlreadyExecuting(var id) -> id;
      case TaskFault.InvalidTaskSchema(var id, _) -> id;
      case TaskFault.DependencyNotSatisfied(var id, _) -> id;
      case TaskFault.InvalidDependencyReference(var id, _) -> id;
      case TaskFault.InvalidParentReference(var id, _, _) -> id;
      case TaskFault.TaskTreeInvalid(_, var id) -> id;
      case TaskFault.CannotDeleteTask(var id, _) -> id;
      case TaskFault.CircularDependency _, TaskFault.ExecutorNotFound _, TaskFault.UnknownSkill _ ->
          null;
      case TaskFault.SeveralTaskFaults several -> of(several.first());
    };
  }
}
