package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aVersion;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus.Known;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The items of a stream about a task of the built-in agent, after the task itself. They follow from
 * the states alone, so that every reader gets the same, however seldom it looks.
 */
final class AgentTaskItems {

  private AgentTaskItems() {}

  /**
   * The items between two states.
   *
   * @param told the state that the reader knows
   * @param now the task in a later state
   */
  static List<String> between(TaskState told, Known now, A2aVersion version) {
    if (now.state().equals(told)) {
      return List.of();
    }
    List<String> items = new ArrayList<>(missedWork(told, now, version));
    AgentTaskJson.artifactUpdate(now, version).ifPresent(items::add);
    items.add(AgentTaskJson.statusUpdate(now, version));
    return items;
  }

  /**
   * The item of a state between two others: that the task was approved, if the reader missed it.
   */
  static List<String> missedWork(TaskState told, Known now, A2aVersion version) {
    Instant workingSince = now.workingSince();
    return told instanceof TaskState.Waiting && workingSince != null && now.state().isFinal()
        ? List.of(AgentTaskJson.statusUpdate(working(now, workingSince), version))
        : List.of();
  }

  private static Known working(Known now, Instant since) {
    return new Known(
        now.task(), new TaskState.Working(), since, since, now.due(), now.at(), now.params());
  }
}
