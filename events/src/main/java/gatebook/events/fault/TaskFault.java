package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Erasable;
import gatebook.events.call.Word;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fault of a task: something that the task, or its tree of tasks, does not allow. */
public sealed interface TaskFault extends ClientFault {

  /** The id of the task; absent where the fault is about none or several, or its task has no id. */
  default @Nullable String taskId() {
    return null;
  }

  /** The task does not exist, or belongs to another caller: the two are not distinguished. */
  record TaskNotFound(@FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Task not found");
    }
  }

  /** The task expired. */
  record TaskExpired(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId,
      @LogField("ttl_secs") @Nullable Long ttlSeconds)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Task expired")
          .details(ttlSeconds == null ? null : "kept for %ds".formatted(ttlSeconds));
    }
  }

  /** The task was cancelled on request: expected, so it is logged as information. */
  record TaskCancelled(@FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId)
      implements TaskFault {
    @Override
    public Severity severity() {
      return Severity.INFO;
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Task was cancelled");
    }
  }

  /** The task is not in a state in which it can be cancelled. */
  record TaskNotCancelable(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId,
      @Erasable @FromCaller @LogField("state") @Nullable String current)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Task cannot be cancelled").details("the task cannot be cancelled now");
    }
  }

  /**
   * The state machine has no such transition, or the task is not in the state that a change of it
   * needs.
   *
   * @param target the state that was wanted, or the name of the change
   */
  record InvalidStateTransition(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) @Nullable String taskId,
      @Erasable @FromCaller @LogField("state") String current,
      @Erasable @FromCaller @LogField("wanted_state") String target,
      @Erasable @FromCaller @LogField("reason") @Nullable String reason)
      implements TaskFault {
    public static final String UPDATE = "update";
    public static final String DELETE = "delete";

    @Override
    public PublicFault shown() {
      return PublicFault.of("Invalid state transition").details("the task cannot take this step");
    }
  }

  /** The task is being executed already. */
  record TaskAlreadyExecuting(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId) implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Task already executing").details("the task is being executed");
    }
  }

  /** The task violates its schema; at least one problem. */
  record InvalidTaskSchema(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) @Nullable String taskId,
      @Erasable @FromCaller @LogField("problems") List<Problem> problems)
      implements TaskFault {
    public InvalidTaskSchema {
      problems = List.copyOf(problems);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Invalid task schema").explaining(problems);
    }
  }

  /** Tasks that depend on each other; the first is repeated at the end. */
  record CircularDependency(@FromCaller(isTaskId = true) @LogField("cycle") List<String> cycle)
      implements TaskFault {
    public CircularDependency {
      cycle = List.copyOf(cycle);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Circular dependency detected").details("tasks wait for each other");
    }
  }

  /** The task depends on others that are not done. */
  record DependencyNotSatisfied(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId,
      @FromCaller(isTaskId = true) @LogField("waits_for") List<String> waitsFor)
      implements TaskFault {
    public DependencyNotSatisfied {
      waitsFor = List.copyOf(waitsFor);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Dependency not satisfied").details("the task waits for others");
    }
  }

  /** The task depends on one that does not exist. */
  record InvalidDependencyReference(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) @Nullable String taskId,
      @FromCaller(isTaskId = true) @LogField("dependency") String dependencyId)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Invalid dependency reference")
          .details("the task depends on one that does not exist");
    }
  }

  /** The task's parent does not exist or cannot be one. */
  record InvalidParentReference(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) @Nullable String taskId,
      @FromCaller(isTaskId = true) @LogField("parent") String parentId,
      @Erasable @FromCaller @LogField("reason") @Nullable String reason)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Invalid parent reference").details("the task's parent cannot be one");
    }
  }

  /** The tasks are not a tree with one root. */
  record TaskTreeInvalid(
      @LogField(value = "reason", isLast = true) TreeDefect defect,
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) @Nullable String taskId)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Task tree validation failed")
          .because(defect.word())
          .details("the tasks form no tree with one root");
    }
  }

  /** The reason why tasks are not a tree. */
  enum TreeDefect implements Word {
    NO_ROOT("no-root"),
    SEVERAL_ROOTS("several-roots"),
    PARENT_CYCLE("parent-cycle"),
    TOO_MANY_TASKS("too-many-tasks"),
    TOO_DEEP("too-deep"),
    INCOMPLETE("incomplete");

    private final String word;

    TreeDefect(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** Other tasks depend on the task, or it has left the state in which it could be deleted. */
  record CannotDeleteTask(
      @FromCaller(isTaskId = true) @LogField(LogField.TASK_ID) String taskId,
      @LogField("reason") Obstacle obstacle)
      implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Cannot delete task")
          .because(obstacle.word())
          .details("the task cannot be deleted");
    }
  }

  /** The reason why a task cannot be deleted. */
  enum Obstacle implements Word {
    HAS_CHILDREN("has-children"),
    HAS_DEPENDENTS("has-dependents"),
    NOT_PENDING("not-pending");

    private final String word;

    Obstacle(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /**
   * No executor of that name is registered, or several are.
   *
   * @param candidates the names of those that are; absent when there is none
   */
  record ExecutorNotFound(
      @FromCaller @LogField("executor") String executor,
      @FromCaller @LogField("candidates") @Nullable List<String> candidates)
      implements TaskFault {
    public ExecutorNotFound {
      candidates = candidates == null ? null : List.copyOf(candidates);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Executor not found").details("no such executor");
    }
  }

  /** No agent here has that skill. */
  record UnknownSkill(@FromCaller @LogField("skill") String skill) implements TaskFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Unknown skill").details("no such skill");
    }
  }

  /** Several faults of one kind that were found together; at least one. */
  record SeveralTaskFaults(@FromCaller @LogField("faults") List<TaskFault> faults)
      implements TaskFault {
    public SeveralTaskFaults {
      faults = List.copyOf(faults);
    }

    public TaskFault first() {
      return faults.getFirst();
    }

    @Override
    public @Nullable String taskId() {
      return first().taskId();
    }

    @Override
    public PublicFault shown() {
      return first().shown();
    }
  }

  /** The most faults that are reported, since each is stored and sent. */
  int TOGETHER_MAX = 100;

  /** One fault for those that were found together, all of one kind; at least one. */
  static TaskFault of(List<? extends TaskFault> faults) {
    return faults.size() == 1
        ? faults.getFirst()
        : new SeveralTaskFaults(
            faults.stream().limit(TOGETHER_MAX).<TaskFault>map(it -> it).toList());
  }
}
