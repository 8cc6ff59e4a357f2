package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fault of a task: something that the task, or its tree of tasks, does not allow. */
public sealed interface TaskFault extends ClientFault {

  /** The task does not exist, or belongs to another caller: the two are not distinguished. */
  record TaskNotFound(String taskId) implements TaskFault {}

  /** The task expired. */
  record TaskExpired(String taskId, @Nullable Long ttlSeconds) implements TaskFault {}

  /** The task was cancelled on request: expected, so it is logged as information. */
  record TaskCancelled(String taskId) implements TaskFault {
    @Override
    public Severity severity() {
      return Severity.INFO;
    }
  }

  /** The task is not in a state in which it can be cancelled. */
  record TaskNotCancelable(String taskId, @Nullable String current) implements TaskFault {}

  /**
   * The state machine has no such transition, or the task is not in the state that a change of it
   * needs.
   *
   * @param target the state that was wanted, or the name of the change
   */
  record InvalidStateTransition(
      @Nullable String taskId, String current, String target, @Nullable String reason)
      implements TaskFault {
    public static final String UPDATE = "update";
    public static final String DELETE = "delete";
  }

  /** The task is being executed already. */
  record TaskAlreadyExecuting(String taskId) implements TaskFault {}

  /** The task violates its schema; at least one problem. */
  record InvalidTaskSchema(@Nullable String taskId, List<Problem> problems) implements TaskFault {
    public InvalidTaskSchema {
      problems = List.copyOf(problems);
    }
  }

  /** Tasks that depend on each other; the first is repeated at the end. */
  record CircularDependency(List<String> cycle) implements TaskFault {
    public CircularDependency {
      cycle = List.copyOf(cycle);
    }
  }

  /** The task depends on others that are not done. */
  record DependencyNotSatisfied(String taskId, List<String> waitsFor) implements TaskFault {
    public DependencyNotSatisfied {
      waitsFor = List.copyOf(waitsFor);
    }
  }

  /** The task depends on one that does not exist. */
  record InvalidDependencyReference(@Nullable String taskId, String dependencyId)
      implements TaskFault {}

  /** The task's parent does not exist or cannot be one. */
  record InvalidParentReference(@Nullable String taskId, String parentId, @Nullable String reason)
      implements TaskFault {}

  /** The tasks are not a tree with one root. */
  record TaskTreeInvalid(TreeDefect defect, @Nullable String taskId) implements TaskFault {}

  /** The reason why tasks are not a tree. */
  enum TreeDefect {
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

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** Other tasks depend on the task, or it has left the state in which it could be deleted. */
  record CannotDeleteTask(String taskId, Obstacle obstacle) implements TaskFault {}

  /** The reason why a task cannot be deleted. */
  enum Obstacle {
    HAS_CHILDREN("has-children"),
    HAS_DEPENDENTS("has-dependents"),
    NOT_PENDING("not-pending");

    private final String word;

    Obstacle(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
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
  record ExecutorNotFound(String executor, @Nullable List<String> candidates) implements TaskFault {
    public ExecutorNotFound {
      candidates = candidates == null ? null : List.copyOf(candidates);
    }
  }

  /** No agent here has that skill. */
  record UnknownSkill(String skill) implements TaskFault {}

  /** Several faults of one kind that were found together; at least one. */
  record SeveralTaskFaults(List<TaskFault> faults) implements TaskFault {
    public SeveralTaskFaults {
      faults = List.copyOf(faults);
    }

    public TaskFault first() {
      return faults.getFirst();
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
