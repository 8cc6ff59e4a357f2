package gatebook.api.flow.task;

import gatebook.command.tree.ReadTask;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes a task with the tree below it as JSON, without recursion. */
public final class FlowTreeJson {
  private final FlowTaskJson taskJson;
  private final TaskRelations relations;
  private final Map<String, List<ReadTask>> children;
  private final StringBuilder text = new StringBuilder();

  public FlowTreeJson(FlowTaskJson taskJson, TaskRelations relations, Collection<ReadTask> tasks) {
    this.taskJson = taskJson;
    this.relations = relations;
    this.children = Descendants.children(tasks);
  }

  public String of(ReadTask root) {
    Deque<Iterator<ReadTask>> levels = new ArrayDeque<>();
    levels.push(open(root));
    while (!levels.isEmpty()) {
      Iterator<ReadTask> siblings = levels.element();
      if (siblings.hasNext()) {
        separate();
        levels.push(open(siblings.next()));
      } else {
        levels.pop();
        text.append("]}");
      }
    }
    return text.toString();
  }

  /** Writes the beginning of a node, and returns what is to be written within. */
  private Iterator<ReadTask> open(ReadTask task) {
    text.append("{\"task\":");
    taskJson.append(text, task, relations);
    text.append(",\"children\":[");
    return children.getOrDefault(task.id(), List.of()).iterator();
  }

  private void separate() {
    if (text.charAt(text.length() - 1) != '[') {
      text.append(',');
    }
  }
}
