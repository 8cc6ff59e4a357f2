package gatebook.api.flow.task;

import gatebook.command.tree.ReadTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the descendants of a task: its children, their children, and so on. */
public final class Descendants {
  private Descendants() {}

  /** The task itself and its descendants, without those that have ended; the task comes first. */
  public static List<String> open(String id, List<ReadTask> tasks) {
    Set<String> ended =
        tasks.stream()
            .filter(task -> task.task().status().isTerminal())
            .map(task -> task.id())
            .collect(Collectors.toSet());
    return all(id, tasks).stream().filter(it -> !ended.contains(it)).toList();
  }

  /** The task itself and its descendants; the task comes first, and parents before children. */
  public static List<String> all(String id, List<ReadTask> tasks) {
    Map<String, List<ReadTask>> children = children(tasks);
    List<String> all = new ArrayList<>(List.of(id));
    for (int next = 0; next < all.size(); next++) {
      children.getOrDefault(all.get(next), List.of()).forEach(child -> all.add(child.id()));
    }
    return all;
  }

  /** The children of each task that has any, in their order, by the id of the task. */
  static Map<String, List<ReadTask>> children(Collection<ReadTask> tasks) {
    Map<String, List<ReadTask>> children = new HashMap<>();
    for (ReadTask task : tasks) {
      String parentId = task.task().parentId();
      if (parentId != null) {
        children.computeIfAbsent(parentId, _ -> new ArrayList<>()).add(task);
      }
    }
    return children;
  }
}
