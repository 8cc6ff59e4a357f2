package gatebook.api.flow.task;

import gatebook.events.tree.TreeStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changed members of a task.
 *
 * @param content members that the task's owner writes, with their JSON
 * @param status the one that the task shall get; this and what follows only in the profile of
 *     existing clients, which send it back as they read it
 * @param error never empty
 * @param result the JSON of an object
 * @param progress from 0 to 1
 */
public record TaskChanges(
    Map<String, String> content,
    Optional<TreeStatus> status,
    Optional<String> error,
    Optional<String> result,
    Optional<BigDecimal> progress) {
  public TaskChanges {
    content = ordered(content);
  }

  /** Changes of nothing else. */
  public static TaskChanges ofContent(Map<String, String> content) {
    return new TaskChanges(
        content, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The members, except for the status, that no pending task has with this value. */
  public List<String> computed() {
    List<String> computed = new ArrayList<>();
    error.ifPresent(_ -> computed.add("error"));
    progress.filter(it -> it.signum() > 0).ifPresent(_ -> computed.add("progress"));
    result.ifPresent(_ -> computed.add("result"));
    return computed;
  }

  static Map<String, String> ordered(Map<String, String> members) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }
}
