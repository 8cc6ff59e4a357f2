package gatebook.command.tree;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.TreeDefect;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the structure of a tree: parents, the one root, and dependencies.
 *
 * <p>The faults of the first kind that there is are found together: parents that do not exist, then
 * the shape of the whole, then dependencies that do not exist, then a cycle of dependencies. The
 * checks do not recurse: chains are as long as the tree is large.
 */
public final class TreeStructure {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<String> toCheck;

  private record Node(@Nullable String parentId, List<TaskDependency> dependencies) {}

  private TreeStructure(TreeTasks existing, List<TaskDraft> drafts) {
    existing
        .all()
        .forEach(
            task -> nodes.put(task.id(), new Node(task.parentId(), task.content().dependencies())));
    drafts.forEach(
        draft -> nodes.put(draft.id(), new Node(draft.parentId(), draft.dependencies())));
    toCheck = drafts.stream().map(TaskDraft::id).toList();
  }

  /** The faults of a tree that has these tasks and the drafts. */
  public static List<TaskFault> faults(
      TreeTasks existing, List<TaskDraft> drafts, GatewayLimits gatewayLimits) {
    TreeStructure structure = new TreeStructure(existing, drafts);
    List<TaskFault> faults = structure.parents();
    if (faults.isEmpty()) {
      faults = structure.shape(gatewayLimits);
    }
    return faults.isEmpty() ? structure.dependencies() : faults;
  }

  /** The faults of a tree in which a draft replaces its task, whose parent stays the same. */
  public static List<TaskFault> dependencyFaults(TreeTasks existing, TaskDraft draft) {
    return new TreeStructure(existing, List.of(draft)).dependencies();
  }

  private List<TaskFault> dependencies() {
    List<TaskFault> faults = references();
    return faults.isEmpty() ? cycle() : faults;
  }

  private List<TaskFault> parents() {
    List<TaskFault> faults = new ArrayList<>();
    for (String id : toCheck) {
      String parentId = node(id).parentId();
      if (parentId != null && !nodes.containsKey(parentId)) {
        faults.add(new TaskFault.InvalidParentReference(id, parentId, null));
      }
    }
    return faults;
  }

  private List<TaskFault> shape(GatewayLimits gatewayLimits) {
    if (nodes.size() > gatewayLimits.get(Limit.TREE_TASKS_MAX)) {
      return List.of(defect(TreeDefect.TOO_MANY_TASKS, null));
    }
    List<String> roots = nodes.keySet().stream().filter(id -> node(id).parentId() == null).toList();
    return switch (roots.size()) {
      case 0 -> List.of(defect(TreeDefect.NO_ROOT, null));
      case 1 -> levels(gatewayLimits.getInt(Limit.TREE_DEPTH_MAX));
      default -> roots.stream().skip(1).map(id -> defect(TreeDefect.SEVERAL_ROOTS, id)).toList();
    };
  }

  private static TaskFault defect(TreeDefect treeDefect, @Nullable String taskId) {
    return new TaskFault.TaskTreeInvalid(treeDefect, taskId);
  }

  /** With one root, a task that does not lead to it is on a cycle of parents or below one. */
  private List<TaskFault> levels(int levelsMax) {
    Map<String, Integer> levels = new LinkedHashMap<>();
    for (String id : nodes.keySet()) {
      SequencedSet<String> path = new LinkedHashSet<>();
      String at = id;
      while (at != null && !levels.containsKey(at)) {
        if (!path.add(at)) {
          return List.of(defect(TreeDefect.PARENT_CYCLE, at));
        }
        at = node(at).parentId();
      }
      int level = at == null ? 0 : levels.getOrDefault(at, 0);
      for (String below : path.reversed()) {
        levels.put(below, ++level);
      }
    }
    return tooDeep(levels, levelsMax + 1);
  }

  private static List<TaskFault> tooDeep(Map<String, Integer> levels, int firstTooDeep) {
    return levels.entrySet().stream()
        .filter(task -> task.getValue() == firstTooDeep)
        .map(task -> defect(TreeDefect.TOO_DEEP, task.getKey()))
        .toList();
  }

  private List<TaskFault> references() {
    List<TaskFault> faults = new ArrayList<>();
    for (String id : toCheck) {
      node(id).dependencies().stream()
          .map(TaskDependency::id)
          .filter(dependency -> !nodes.containsKey(dependency))
          .forEach(
              dependency -> faults.add(new TaskFault.InvalidDependencyReference(id, dependency)));
    }
    return faults;
  }

  private List<TaskFault> cycle() {
    Map<String, Boolean> done = new HashMap<>();
    for (String start : toCheck) {
      List<String> cycle = done.containsKey(start) ? List.of() : cycleFrom(start, done);
      if (!cycle.isEmpty()) {
        return List.of(new TaskFault.CircularDependency(cycle));
      }
    }
    return List.of();
  }

  /** A search in depth: a task that is not done is on the path. */
  private List<String> cycleFrom(String start, Map<String, Boolean> done) {
    List<Visit> path = new ArrayList<>();
    path.add(visit(start, done));
    while (!path.isEmpty()) {
      String dependency = path.getLast().next();
      if (dependency == null) {
        done.put(path.removeLast().id, true);
      } else if (!done.containsKey(dependency)) {
        path.add(visit(dependency, done));
      } else if (!done.getOrDefault(dependency, true)) {
        return cycle(path.stream().map(visit -> visit.id).toList(), dependency);
      }
    }
    return List.of();
  }

  /** A task on the path, with the dependencies that are still to be followed. */
  private static final class Visit {
    private final String id;
    private final Iterator<TaskDependency> dependencies;

    Visit(String id, List<TaskDependency> dependencies) {
      this.id = id;
      this.dependencies = dependencies.iterator();
    }

    @Nullable String next() {
      return dependencies.hasNext() ? dependencies.next().id() : null;
    }
  }

  private Visit visit(String id, Map<String, Boolean> done) {
    done.put(id, false);
    return new Visit(id, node(id).dependencies());
  }

  private static List<String> cycle(List<String> path, String first) {
    List<String> cycle =
        new ArrayList<>(IdListSize.limited(path.subList(path.indexOf(first), path.size())));
    cycle.add(first);
    return cycle;
  }

  private Node node(String id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("no task of the tree: " + id);
    }
    return node;
  }
}
