package gatebook.api.a2a;

import gatebook.api.dialect.A2aVersion;
import gatebook.command.call.TaskStatus.Known;
import gatebook.command.call.TaskStatus.State;
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
  static List<String> between(State told, Known now, A2aVersion version) {
    if (now.state().equals(told)) {
      return List.of();
    }
    List<String> items = new ArrayList<>();
    Instant workingSince = now.workingSince();
    if (told instanceof State.Waiting && workingSince != null && now.state().isFinal()) {
      items.add(AgentTaskJson.statusUpdate(working(now, workingSince), version));
    }
    AgentTaskJson.artifactUpdate(now, version).ifPresent(items::add);
    items.add(AgentTaskJson.statusUpdate(now, version));
    return items;
  }

  private static Known working(Known now, Instant since) {
    return new Known(
        now.task(), new State.Working(), since, since, now.due(), now.at(), now.params());
  }
}
