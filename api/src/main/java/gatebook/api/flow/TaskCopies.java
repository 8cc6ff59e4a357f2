package gatebook.api.flow;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.task.FlowTaskJson;
import gatebook.api.flow.task.MergedObject;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies tasks of a tree into drafts of a new one, or links to them: with new ids, and the same
 * hierarchy and dependencies.
 */
final class TaskCopies {
  private final Map<String, String> newIds = new LinkedHashMap<>();
  private final String rootId;
  private final Set<String> linked;
  private final Map<String, String> resetFields;

  private TaskCopies(String rootId, Set<String> linked, Map<String, String> resetFields) {
    this.rootId = rootId;
    this.linked = linked;
    this.resetFields = resetFields;
  }

  /**
   * The copies, that of the first task first; the others are below it.
   *
   * @param sources the ids of the tasks that are copied or linked
   * @param linked the ids of those that are linked; a link is always linked, since it has nothing
   *     else that could be copied
   * @param resetFields members of the copies with their new values, as JSON
   * @throws RefusedRequest when a copied task depends on one that is not copied
   */
  static List<TaskCopy> of(
      List<String> sources,
      Set<String> linked,
      Map<String, String> resetFields,
      List<ReadTask> tasks) {
    TaskCopies copies = new TaskCopies(sources.getFirst(), linked, resetFields);
    sources.forEach(id -> copies.newIds.put(id, UUID.randomUUID().toString()));
    Map<String, ReadTask> byId = new LinkedHashMap<>();
    tasks.forEach(task -> byId.put(task.id(), task));
    copies.requireInside(byId);
    List<TaskCopy> made = new ArrayList<>();
    for (String id : sources) {
      ReadTask task = byId.get(id);
      if (task != null) {
        made.add(copies.copy(id, task));
      }
    }
    return made;
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

  private TaskCopy copy(String id, ReadTask task) {
    boolean isLink = linked.contains(id) || task.task().origin().isLink();
    String newId = newId(id);
    String parentId = id.equals(rootId) ? null : newId(task.task().parentId());
    List<TaskDependency> dependencies =
        task.task().content().dependencies().stream()
            .map(dependency -> new TaskDependency(newId(dependency.id()), dependency.required()))
            .toList();
    Map<String, String> members = new LinkedHashMap<>(resetFields);
    members.put("id", quoted(newId));
    members.put("parent_id", FlowTaskJson.quotedOrNull(parentId));
    members.put("dependencies", FlowTaskJson.dependencies(dependencies));
    if (isLink) {
      putLink(members, task);
    } else {
      putOrigin(members, id);
    }
    String definition = MergedObject.of(TaskDefinition.jsonOf(task), members);
    return new TaskCopy(id, draft(newId, parentId, task, dependencies, definition), isLink);
  }

  private static void putOrigin(Map<String, String> members, String sourceId) {
    members.put("origin_type", "\"copy\"");
    members.put("original_task_id", quoted(sourceId));
  }

  /** A link has nothing to run with. */
  private static void putLink(Map<String, String> members, ReadTask source) {
    members.put("origin_type", FlowTaskJson.LINK);
    members.put("original_task_id", quoted(source.task().linkTarget().taskId()));
    List.of("inputs", "params", "schemas").forEach(name -> members.put(name, "null"));
  }

  private static TaskDraft draft(
      String id,
      @Nullable String parentId,
      ReadTask source,
      List<TaskDependency> dependencies,
      String definition) {
    TaskDefinition read = TaskDefinition.of(definition);
    return new TaskDraft(
        id,
        parentId,
        source.task().content().name(),
        read.executor().orElse(null),
        source.task().content().priority(),
        dependencies,
        definition,
        read.inputs().orElse(null));
  }

  private String newId(@Nullable String id) {
    String newId = id == null ? null : newIds.get(id);
    if (newId == null) {
      throw new IllegalStateException("no task that is copied: " + id);
    }
    return newId;
  }
}
