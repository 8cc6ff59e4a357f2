package gatebook.api.flow.task;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskOrigin;
import gatebook.command.tree.TaskOrigin.Original;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes whole tasks: what their owners wrote, exactly as it was, with the members that the gateway
 * computes.
 */
public final class FlowTaskJson {
  private static final String NULL = "null";
  private static final String FALSE = "false";

  public static final String LINK = "\"link\"";

  /** Members that are there in every task, with their values where the owner gave none. */
  private static final Map<String, String> DEFAULTS = defaults();

  /** Members of the existing implementation that mean nothing here. */
  private static final List<String> CLIENT_NULLS =
      List.of(
          "lease_id",
          "lease_expires_at",
          "placement_constraints",
          "attempt_id",
          "idempotency_key",
          "last_assigned_node");

  private final FlowProfile profile;

  public FlowTaskJson(FlowProfile profile) {
    this.profile = profile;
  }

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("priority", "2");
    defaults.put("inputs", "{}");
    defaults.put("schemas", NULL);
    defaults.put("params", NULL);
    defaults.put("origin_type", "\"create\"");
    defaults.put("original_task_id", NULL);
    defaults.put("schedule_type", NULL);
    defaults.put("schedule_expression", NULL);
    defaults.put("schedule_enabled", FALSE);
    defaults.put("schedule_start_at", NULL);
    defaults.put("schedule_end_at", NULL);
    defaults.put("next_run_at", NULL);
    defaults.put("last_run_at", NULL);
    defaults.put("max_runs", NULL);
    defaults.put("run_count", "0");
    return defaults;
  }

  /** Writes one task. */
  public void append(StringBuilder text, ReadTask read, TaskRelations relations) {
    String definition = read.definition() == null ? "{}" : read.definition();
    ObjectMembers given = ObjectMembers.of(definition);
    MergedObject.append(text, definition, members(read, given, relations));
  }

  private Map<String, String> members(ReadTask read, ObjectMembers given, TaskRelations relations) {
    TreeTask task = read.task();
    Map<String, String> members = new LinkedHashMap<>();
    members.put("id", quoted(task.key().taskId()));
    members.put("parent_id", quotedOrNull(task.parentId()));
    putDefault(members, given, "user_id", quoted(task.key().owner()));
    putDefault(members, given, "name", quoted(task.content().name()));
    members.put("status", quoted(task.status().word()));
    DEFAULTS.forEach((name, value) -> putDefault(members, given, name, value));
    putOrigin(members, task.origin());
    putDefault(members, given, "dependencies", dependencies(task.content().dependencies()));
    putState(members, read);
    members.put("has_references", Boolean.toString(task.origin().referenced()));
    if (profile == FlowProfile.CLIENT) {
      members.put("task_tree_id", quoted(task.treeId().toString()));
      members.put("has_children", Boolean.toString(relations.hasChildren(task.key().taskId())));
      CLIENT_NULLS.forEach(name -> putDefault(members, given, name, NULL));
    }
    return members;
  }

  private static void putDefault(
      Map<String, String> members, ObjectMembers given, String name, String value) {
    if (given.json(name).filter(json -> !json.equals(NULL)).isEmpty()) {
      members.put(name, value);
    }
  }

  /** What a task became when it was linked or archived is not in what its owner wrote. */
  private static void putOrigin(Map<String, String> members, TaskOrigin origin) {
    Original original = origin.original();
    if (original != null) {
      members.put("origin_type", LINK);
      members.put("original_task_id", quoted(original.taskId()));
    }
    if (origin.archived()) {
      members.put("origin_type", "\"archive\"");
    }
  }

  private static void putState(Map<String, String> members, ReadTask read) {
    TreeTask task = read.task();
    members.put("result", result(read));
    members.put("error", quotedOrNull(error(task)));
    members.put("progress", progress(task.status()));
    members.put("created_at", time(task.createdAt()));
    members.put("started_at", task.status() == TreeStatus.PENDING ? NULL : time(task.startedAt()));
    members.put("updated_at", time(task.updatedAt()));
    members.put("completed_at", time(task.endedAt()));
  }

  public static String result(ReadTask read) {
    boolean isCompleted = read.task().status() == TreeStatus.COMPLETED;
    return isCompleted && read.result() != null ? read.result() : NULL;
  }

  /** Absent unless the task failed or was cancelled. */
  public static @Nullable String error(TreeTask task) {
    return switch (task.status()) {
      case PENDING, IN_PROGRESS, COMPLETED -> null;
      case FAILED, CANCELLED -> task.error();
    };
  }

  public static String progress(TreeStatus status) {
    return status == TreeStatus.COMPLETED ? "1.0" : "0.0";
  }

  public static String dependencies(List<TaskDependency> dependencies) {
    return dependencies.stream()
        .map(FlowTaskJson::dependency)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String dependency(TaskDependency dependency) {
    return "{\"id\":%s,\"required\":%b}".formatted(quoted(dependency.id()), dependency.required());
  }

  public static String time(@Nullable Instant time) {
    return time == null ? NULL : quoted(time.toString());
  }

  public static String quotedOrNull(@Nullable String text) {
    return text == null ? NULL : quoted(text);
  }

  /** An array of whole tasks. */
  public String array(List<ReadTask> tasks, TaskRelations relations) {
    StringBuilder text = new StringBuilder("[");
    for (Iterator<ReadTask> all = tasks.iterator(); all.hasNext(); ) {
      append(text, all.next(), relations);
      text.append(all.hasNext() ? "," : "");
    }
    return text.append(']').toString();
  }
}
