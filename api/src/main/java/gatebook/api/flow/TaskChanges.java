package gatebook.api.flow;

import gatebook.events.tree.TreeStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The changed members of a task.
 *
 * @param content members that the task's owner writes, with their JSON
 * @param status the one that the task shall get; only in the profile of existing clients
 * @param error the reason when the status is failed or cancelled; never empty
 * @param result the JSON of the result when the status is completed
 */
public record TaskChanges(
    Map<String, String> content,
    Optional<TreeStatus> status,
    Optional<String> error,
    Optional<String> result) {
  public TaskChanges {
    content = ordered(content);
  }

  static Map<String, String> ordered(Map<String, String> members) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }
}
