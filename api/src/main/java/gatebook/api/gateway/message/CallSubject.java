package gatebook.api.gateway.message;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a call is about besides its target.
 *
 * @param agent that it addresses, by the path or otherwise; absent when it addresses none
 * @param taskId of the task that it is about; absent when it names none
 * @param ids of a task, a context or a message that it names: operators find it by them
 */
public record CallSubject(@Nullable String agent, @Nullable String taskId, List<String> ids) {

  public static final CallSubject NONE = new CallSubject(null, null, List.of());

  /** The longest id; no task has a longer one. */
  private static final int ID_CHARS_MAX = 256;

  public CallSubject {
    ids = List.copyOf(ids);
  }

  /** A task; operators find no call by an id that no task has. */
  static CallSubject ofTask(Optional<String> taskId) {
    return new CallSubject(
        null,
        taskId.orElse(null),
        taskId.stream().filter(id -> id.length() <= ID_CHARS_MAX).toList());
  }
}
