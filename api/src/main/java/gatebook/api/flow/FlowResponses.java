package gatebook.api.flow;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.executor.ExecutorInfo;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.FlowTaskJson;
import gatebook.api.flow.task.FlowTreeJson;
import gatebook.api.flow.task.TaskRelations;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the results of the task-flow protocol's methods in the shapes of one profile, as JSON. */
public final class FlowResponses {
  private final boolean isProtocol;
  private final FlowTaskJson taskJson;

  public FlowResponses(FlowProfile profile) {
    this.isProtocol = profile == FlowProfile.PROTOCOL;
    this.taskJson = new FlowTaskJson(profile);
  }

  /**
   * The result of creating tasks.
   *
   * @param tasks all that were created, the root first
   */
  public String created(List<ReadTask> tasks, TaskRelations relations) {
    return isProtocol ? idAndStatus(tasks.getFirst()) : oneOrAll(tasks, relations);
  }

  private static String idAndStatus(ReadTask task) {
    return "{\"id\":%s,\"status\":\"%s\"}".formatted(quoted(task.id()), status(task).word());
  }

  private String oneOrAll(List<ReadTask> tasks, TaskRelations relations) {
    return tasks.size() == 1 ? task(tasks.getFirst(), relations) : taskJson.array(tasks, relations);
  }

  /** A whole task: the result of reading one. */
  public String task(ReadTask task, TaskRelations relations) {
    StringBuilder text = new StringBuilder();
    taskJson.append(text, task, relations);
    return text.toString();
  }

  public String updated(ReadTask task, TaskRelations relations) {
    return isProtocol ? idAndStatus(task) : task(task, relations);
  }

  public String deleted(String taskId) {
    return isProtocol
        ? "{\"success\":true}"
        : "{\"success\":true,\"task_id\":%s,\"deleted_count\":1,\"children_deleted\":0}"
            .formatted(quoted(taskId));
  }

  /**
   * The result of listing tasks.
   *
   * @param tasks those of the page
   * @param total how many there are on all pages
   */
  public String list(List<ReadTask> tasks, long total, TaskPage page, TaskRelations relations) {
    String array = taskJson.array(tasks, relations);
    return isProtocol
        ? "{\"tasks\":%s,\"total\":%d,\"limit\":%d,\"offset\":%d}"
            .formatted(array, total, page.limit(), page.offset())
        : array;
  }

  public String children(List<ReadTask> children, TaskRelations relations) {
    String array = taskJson.array(children, relations);
    return isProtocol ? "{\"children\":%s}".formatted(array) : array;
  }

  /**
   * A task with all that is below it.
   *
   * @param tasks those of its tree, in the order of their creation
   */
  public String tree(ReadTask root, Collection<ReadTask> tasks, TaskRelations relations) {
    return new FlowTreeJson(taskJson, relations, tasks).of(root);
  }

  /**
   * The result of executing tasks, when they have begun.
   *
   * @param taskId the one that was named, or the root
   * @param webhookUrl without secrets: the response is recorded
   */
  public String started(
      String rootTaskId, String taskId, boolean streams, Optional<String> webhookUrl) {
    if (isProtocol) {
      return "{\"root_task_id\":%s,\"status\":\"started\"}".formatted(quoted(rootTaskId));
    }
    return "%s,\"status\":\"started\",\"message\":%s%s%s}"
        .formatted(
            executionOf(rootTaskId, taskId, true),
            quoted("Task execution started"),
            streams ? ",\"streaming\":true" : "",
            webhookUrl.map(url -> ",\"webhook_url\":" + quoted(url)).orElse(""));
  }

  private static String executionOf(String rootTaskId, String taskId, boolean isSuccess) {
    return "{\"success\":%b,\"protocol\":\"jsonrpc\",\"root_task_id\":%s,\"task_id\":%s"
        .formatted(isSuccess, quoted(rootTaskId), quoted(taskId));
  }

  /** The result of executing a task whose end the caller waits for. */
  public String ended(String rootTaskId, ReadTask task) {
    String state =
        "\"status\":\"%s\",\"result\":%s,\"error\":%s}"
            .formatted(
                status(task).word(),
                FlowTaskJson.result(task),
                FlowTaskJson.quotedOrNull(FlowTaskJson.error(task.task())));
    boolean isSuccess = status(task) == TreeStatus.COMPLETED;
    return isProtocol
        ? "{\"root_task_id\":%s,\"task_id\":%s,%s"
            .formatted(quoted(rootTaskId), quoted(task.id()), state)
        : executionOf(rootTaskId, task.id(), isSuccess) + "," + state;
  }

  /**
   * The result of cancelling tasks. The protocol's documents have it for one task.
   *
   * @param answers at least one, the first for the task that was named first
   */
  public String cancelled(List<CancelAnswer> answers, boolean force) {
    return isProtocol
        ? "{\"task_id\":%s,\"status\":\"%s\"}"
            .formatted(quoted(answers.getFirst().taskId()), answers.getFirst().taskStatus())
        : answers.stream()
            .map(answer -> cancelled(answer, force))
            .collect(Collectors.joining(",", "[", "]"));
  }

  private static String cancelled(CancelAnswer answer, boolean force) {
    return "{\"task_id\":%s,\"status\":\"%s\",\"message\":%s,\"force\":%b}"
        .formatted(quoted(answer.taskId()), answer.status(), quoted(answer.message()), force);
  }

  /**
   * The result of copying a task.
   *
   * @param copies all that were made, the copy of the named task first
   */
  public String copied(String originalTaskId, List<ReadTask> copies, TaskRelations relations) {
    ReadTask copy = copies.getFirst();
    return isProtocol
        ? "{\"original_task_id\":%s,\"copied_task_id\":%s,\"status\":\"%s\"}"
            .formatted(quoted(originalTaskId), quoted(copy.id()), status(copy).word())
        : oneOrAll(copies, relations);
  }

  /** The numbers of tasks by their status, with their sum. */
  public String counts(Map<TreeStatus, Long> counts, boolean rootOnly) {
    String each =
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(count -> "\"%s\":%d,".formatted(count.getKey().word(), count.getValue()))
            .collect(Collectors.joining());
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    return "{%s\"total\":%d%s}".formatted(each, total, rootOnly ? ",\"root_only\":true" : "");
  }

  public String runningList(List<ReadTask> tasks, TaskRelations relations) {
    return taskJson.array(tasks, relations);
  }

  /** The status of each task that was asked for, in that order. */
  public String runningStatus(List<String> taskIds, Map<String, ReadTask> found) {
    return taskIds.stream()
        .map(id -> runningStatus(id, found.get(id)))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String runningStatus(String id, @Nullable ReadTask read) {
    @Nullable TreeTask task = read == null ? null : read.task();
    return """
    {"task_id":%1$s,"context_id":%1$s,"status":"%2$s","progress":%3$s,"error":%4$s,\
    "is_running":%5$b,"started_at":%6$s,"updated_at":%7$s}\
    """
        .formatted(
            quoted(id),
            task == null ? "not_found" : task.status().word(),
            task == null ? "0.0" : FlowTaskJson.progress(task.status()),
            FlowTaskJson.quotedOrNull(task == null ? null : FlowTaskJson.error(task)),
            task != null && task.status() == TreeStatus.IN_PROGRESS,
            FlowTaskJson.time(task == null ? null : task.startedAt()),
            FlowTaskJson.time(task == null ? null : task.updatedAt()));
  }

  public String runningCount(long count) {
    return "{\"count\":%d}".formatted(count);
  }

  public String health(String version, Instant now, long runningTasks) {
    return """
    {"status":"healthy","message":"gatebook is healthy","version":%s,"timestamp":"%s",\
    "running_tasks_count":%d}\
    """
        .formatted(quoted(version), now, runningTasks);
  }

  /** The executors that the caller may use; the list is restricted by what it may see. */
  public String executors(List<ExecutorInfo> executors) {
    String all =
        executors.stream().map(FlowResponses::executor).collect(Collectors.joining(",", "[", "]"));
    String ids =
        executors.stream()
            .map(executor -> quoted(executor.id()))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"executors\":%s,\"count\":%d,\"restricted\":true,\"allowed_ids\":%s}"
        .formatted(all, executors.size(), ids);
  }

  private static String executor(ExecutorInfo executor) {
    return "{\"id\":%s,\"name\":%s,\"extension\":%s,\"description\":%s}"
        .formatted(
            quoted(executor.id()),
            quoted(executor.name()),
            quoted(executor.extension()),
            quoted(executor.description()));
  }

  private static TreeStatus status(ReadTask task) {
    return task.task().status();
  }
}
