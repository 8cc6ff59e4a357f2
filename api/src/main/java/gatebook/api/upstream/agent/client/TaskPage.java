package gatebook.api.upstream.agent.client;

import java.util.List;

/**
 * A page of an agent's list of tasks.
 *
 * @param nextPageToken empty when this page is the last one
 * @param result exactly as the agent wrote it
 */
public record TaskPage(List<AgentItem> tasks, String nextPageToken, String result) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }
}
