package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.Operator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.KeptContent;
import gatebook.events.tree.TreeStatus;
import gatebook.query.trees.OpenExecution;
import gatebook.query.trees.TreeTaskView;
import gatebook.query.trees.TreeView;
import gatebook.query.trees.WebhookView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of a tree of tasks, as far as an operator may see it. */
final class TreeJson {
  private TreeJson() {}

  /** Trees with their tasks. */
  static List<Map<String, Object>> withTasks(List<TreeView> trees, Operator operator) {
    return trees.stream()
        .map(tree -> {
          Map<String, Object> result = withoutTasks(tree);
          result.put("tasks", tree.tasks().stream().map(task -> task(task, operator)).toList());
          return result;
        })
        .toList();
  }

  static Map<String, Object> withoutTasks(TreeView tree) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("treeId", tree.treeId());
    result.put("owner", tree.owner());
    putOrNull(result, "rootTaskId", tree.rootTaskId());
    putOrNull(result, "name", tree.name());
    result.put("status", tree.status());
    result.put("taskCount", tree.taskCount());
    result.put("counts", counts(tree));
    result.put("createdAt", tree.createdAt().toString());
    putOrNull(result, "startedAt", text(tree.startedAt()));
    putOrNull(result, "endedAt", text(tree.endedAt()));
    putOrNull(result, "durationMillis", millis(tree.duration()));
    result.put("lastEventAt", tree.lastEventAt().toString());
    putOrNull(result, "execution", execution(tree.execution()));
    putOrNull(result, "webhook", webhook(tree.webhook()));
    return result;
  }

  private static Map<String, Integer> counts(TreeView tree) {
    Map<String, Integer> result = new LinkedHashMap<>();
    for (TreeStatus status : TreeStatus.values()) {
      result.put(status.word(), tree.counts().getOrDefault(status, 0));
    }
    return result;
  }

  private static @Nullable Map<String, Object> execution(@Nullable OpenExecution execution) {
    return execution == null
        ? null
        : Map.of(
            "executionId",
            execution.executionId(),
            "taskId",
            execution.taskId(),
            "node",
            execution.node(),
            "startedAt",
            execution.startedAt().toString());
  }

  private static @Nullable Map<String, Object> webhook(@Nullable WebhookView webhook) {
    if (webhook == null) {
      return null;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("url", webhook.url());
    result.put("state", webhook.state().word());
    result.put("last", webhook.last());
    result.put("attempt", webhook.attempt());
    putOrNull(result, "status", webhook.status());
    putOrNull(result, "reason", webhook.reason());
    putOrNull(result, "at", text(webhook.at()));
    return result;
  }

  private static Map<String, Object> task(TreeTaskView task, Operator operator) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("taskId", task.taskId());
    putOrNull(result, "parentId", task.parentId());
    result.put("name", task.content().name());
    putOrNull(result, "executor", task.content().executor());
    result.put("priority", task.content().priority());
    result.put("dependencies", task.content().dependencies());
    result.put("status", task.status());
    result.put("attempt", task.attempt());
    putOrNull(result, "origin", task.origin());
    if (operator.has(Role.ARGUMENTS)) {
      putOrNull(result, "inputs", kept(task.content().inputs(), true));
    }
    putOrNull(result, "result", kept(task.result(), operator.has(Role.ARGUMENTS)));
    putOrNull(result, "error", task.error());
    putOrNull(result, "code", task.code());
    putOrNull(result, "callId", task.callId());
    result.put("createdAt", task.createdAt().toString());
    putOrNull(result, "startedAt", text(task.startedAt()));
    putOrNull(result, "endedAt", text(task.endedAt()));
    putOrNull(result, "deletedAt", text(task.deletedAt()));
    putOrNull(result, "durationMillis", millis(task.duration()));
    result.put("calls", task.calls().stream().map(AuditMethods::row).toList());
    return result;
  }

  private static @Nullable Map<String, Object> kept(
      @Nullable KeptContent content, boolean showsContent) {
    if (content == null) {
      return null;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("sizeBytes", content.sizeBytes());
    if (showsContent && content.redacted() != null) {
      result.put("redacted", content.redacted());
    }
    if (showsContent && content.beginning() != null) {
      result.put("beginning", content.beginning());
    }
    return result;
  }

  private static @Nullable Long millis(Optional<Duration> duration) {
    return duration.map(Duration::toMillis).orElse(null);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  @SuppressWarnings("NullAway") // a member without a value is null in JSON
  private static void putOrNull(Map<String, Object> result, String name, @Nullable Object value) {
    result.put(name, value);
  }
}
