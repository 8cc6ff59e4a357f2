package gatebook.api.flow;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.MemberSplice;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies tasks of a tree into drafts of a new one: with new ids, and the same hierarchy and
 * dependencies.
 */
final class TaskCopies {
  private final Map<String, String> newIds = new LinkedHashMap<>();
  private final String rootId;
  private final Map<String, String> resetFields;

  private TaskCopies(String rootId, Map<String, String> resetFields) {
    this.rootId = rootId;
    this.resetFields = resetFields;
  }

  /**
   * The drafts of the copies, that of the named task first.
   *
   * @param resetFields members of the copies with their new values, as JSON
   * @throws RefusedRequest when a copied task depends on one that is not copied
   */
  static List<TaskDraft> drafts(
      String rootId, boolean recursive, Map<String, String> resetFields, List<ReadTask> tasks) {
    List<String> ids = recursive ? Descendants.all(rootId, tasks) : List.of(rootId);
    TaskCopies copies = new TaskCopies(rootId, resetFields);
    ids.forEach(id -> copies.newIds.put(id, UUID.randomUUID().toString()));
    Map<String, ReadTask> byId = new LinkedHashMap<>();
    tasks.forEach(task -> byId.put(task.task().key().taskId(), task));
    copies.requireInside(byId);
    List<TaskDraft> drafts = new ArrayList<>();
    for (String id : ids) {
      ReadTask task = byId.get(id);
      if (task != null) {
        drafts.add(copies.draft(id, task));
      }
    }
    return drafts;
  }

  private void requireInside(Map<String, ReadTask> byId) {
    List<TaskFault> outside = new ArrayList<>();
    for (String id : newIds.keySet()) {
      ReadTask task = byId.get(id);
      if (task != null) {
        task.task().content().dependencies().stream()
            .map(TaskDependency::id)
            .filter(dependency -> !newIds.containsKey(dependency))
            .forEach(dependency ->
                outside.add(new TaskFault.InvalidDependencyReference(id, dependency)));
      }
    }
    if (!outside.isEmpty()) {
      throw new RefusedRequest(outside);
    }
  }

  private TaskDraft draft(String id, ReadTask task) {
    String newId = newId(id);
    String parentId = id.equals(rootId) ? null : newId(task.task().parentId());
    List<TaskDependency> dependencies =
        task.task().content().dependencies().stream()
            .map(dependency -> new TaskDependency(newId(dependency.id()), dependency.required()))
            .toList();
    String definition = StoredDefinition.of(definition(task, newId, parentId, dependencies));
    TaskDefinition read = TaskDefinition.of(definition);
    return new TaskDraft(
        newId,
        parentId,
        task.task().content().name(),
        read.executor().orElse(null),
        task.task().content().priority(),
        dependencies,
        definition,
        read.inputs().orElse(null));
  }

  private String definition(
      ReadTask task, String newId, @Nullable String parentId, List<TaskDependency> dependencies) {
    String json =
        task.definition() == null
            ? "{\"name\":%s}".formatted(quoted(task.task().content().name()))
            : task.definition();
    Map<String, String> members = new LinkedHashMap<>(resetFields);
    members.put("id", quoted(newId));
    members.put("parent_id", parentId == null ? "null" : quoted(parentId));
    members.put(
        "dependencies",
        dependencies.stream()
            .map(it -> "{\"id\":%s,\"required\":%b}".formatted(quoted(it.id()), it.required()))
            .collect(joining(",", "[", "]")));
    members.put("origin_type", "\"copy\"");
    members.put("original_task_id", quoted(task.task().key().taskId()));
    for (Map.Entry<String, String> member : members.entrySet()) {
      json = MemberSplice.with(json, List.of(member.getKey()), member.getValue());
    }
    return json;
  }

  private String newId(@Nullable String id) {
    String newId = id == null ? null : newIds.get(id);
    if (newId == null) {
      throw new IllegalStateException("no task that is copied: " + id);
    }
    return newId;
  }
}
