package gatebook.api.flow.task;

import gatebook.api.flow.read.FlowRequestReader;
import gatebook.command.tree.TaskDraft;
import gatebook.events.tree.TreeStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A request of the task-flow protocol, read and checked as far as it can be without any state. */
public sealed interface FlowRequest {

  /** Creates tasks: a tree, or one task that joins the tree in which its parent is. */
  record Create(List<TaskDraft> drafts) implements FlowRequest {
    public Create {
      drafts = List.copyOf(drafts);
    }
  }

  record Get(String taskId) implements FlowRequest {}

  record Detail(String taskId) implements FlowRequest {}

  /** Changes a task; {@link FlowRequestReader#updated} finds what it becomes. */
  record Update(String taskId, TaskChanges changes) implements FlowRequest {}

  record Delete(String taskId) implements FlowRequest {}

  /**
   * Lists the caller's tasks, newest first.
   *
   * @param statuses the wanted ones; empty when all are
   */
  record ListTasks(Set<TreeStatus> statuses, boolean rootOnly, TaskPage page)
      implements FlowRequest {
    public ListTasks {
      statuses = Set.copyOf(statuses);
    }
  }

  /** Lists the direct children of a task. */
  record Children(String parentId) implements FlowRequest {}

  /** Reads a task with all that is below it. */
  record Tree(String taskId) implements FlowRequest {}

  /**
   * Executes tasks.
   *
   * @param cascade whether ended tasks that depend on those are executed again, too
   * @param waits whether the response waits for the end of the named task, unless it is a stream
   * @param streams whether the caller wants progress as a stream
   */
  record Execute(
      ExecutionTarget target,
      boolean cascade,
      boolean waits,
      boolean streams,
      Optional<WebhookConfig> webhook)
      implements FlowRequest {}

  /**
   * Cancels tasks.
   *
   * @param error the reason; never empty
   * @param cascade whether what is below them is cancelled, too
   */
  record Cancel(List<String> taskIds, boolean force, String error, boolean cascade)
      implements FlowRequest {
    public Cancel {
      taskIds = List.copyOf(taskIds);
    }
  }

  /**
   * Copies, links or archives a task.
   *
   * @param linkTaskIds the tasks that are linked when the origin is mixed
   * @param resetFields members of the copies with their new values, as JSON
   * @param save whether the copies are stored; otherwise they are only shown
   */
  record Copy(
      String taskId,
      CopyOrigin origin,
      boolean recursive,
      List<String> linkTaskIds,
      Map<String, String> resetFields,
      boolean save)
      implements FlowRequest {
    public Copy {
      linkTaskIds = List.copyOf(linkTaskIds);
      resetFields = TaskChanges.ordered(resetFields);
    }
  }

  /**
   * Counts the caller's tasks by status.
   *
   * @param statuses the wanted ones; empty when all are
   */
  record CountTasks(Set<TreeStatus> statuses, boolean rootOnly) implements FlowRequest {
    public CountTasks {
      statuses = Set.copyOf(statuses);
    }
  }

  /** Lists the caller's tasks that run. */
  record RunningList(TaskPage page) implements FlowRequest {}

  /** Reads the status of tasks; those that do not exist are told as such. */
  record RunningStatus(List<String> taskIds) implements FlowRequest {
    public RunningStatus {
      taskIds = List.copyOf(taskIds);
    }
  }

  record RunningCount() implements FlowRequest {}

  record SystemHealth() implements FlowRequest {}

  record Executors() implements FlowRequest {}

  /** What is executed. */
  sealed interface ExecutionTarget {
    /** Tasks that are created before. */
    record NewTasks(List<TaskDraft> drafts) implements ExecutionTarget {
      public NewTasks {
        drafts = List.copyOf(drafts);
      }
    }

    record StoredTask(String taskId) implements ExecutionTarget {}
  }

  /** How the copies relate to their sources. */
  enum CopyOrigin {
    COPY("copy"),
    LINK("link"),
    ARCHIVE("archive"),
    /** Some tasks are linked, the others copied. */
    MIXED("mixed");

    private final String word;

    CopyOrigin(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    public String word() {
      return word;
    }
  }

  /** A part of a list. */
  record TaskPage(int limit, int offset) {
    public static final int LIMIT_DEFAULT = 100;
    public static final int LIMIT_MAX = 1_000;
  }

  /**
   * An address that is told how an execution goes on.
   *
   * @param method POST or PUT
   */
  record WebhookConfig(
      String url, Map<String, String> headers, String method, int timeoutSeconds, int retriesMax) {
    public WebhookConfig {
      headers = Map.copyOf(headers);
    }
  }
}
