package gatebook.command.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The size of a task's content in its event: more than an event can hold is never recorded. */
final class TaskContentSize {

  /** Room for what else is in the event: ids, names, tags, and the beginning of large inputs. */
  private static final int REST_BYTES_MAX = 64 << 10;

  /** The largest content that fits into an event. */
  static final int BYTES_MAX = JournalLimits.DEFAULT.eventBytesMax() - REST_BYTES_MAX;

  private static final int DEPENDENCY_BYTES = "{\"id\":\"\",\"required\":false},".length();

  private TaskContentSize() {}

  /** The fault of a task whose content is too large. */
  static Optional<TaskFault> fault(String taskId, TaskContent content) {
    long bytes = bytes(content);
    return bytes <= BYTES_MAX
        ? Optional.empty()
        : Optional.of(
            new TaskFault.InvalidTaskSchema(
                taskId,
                List.of(
                    new Problem(
                        "task",
                        "Too large to be recorded with its dependencies",
                        "at most %d bytes".formatted(BYTES_MAX),
                        JsonValue.parse(Long.toString(bytes)),
                        List.of()))));
  }

  private static long bytes(TaskContent content) {
    long sealed = Objects.requireNonNullElse(content.definition(), "").getBytes(UTF_8).length;
    if (content.inputs() != null && content.inputs().redacted() != null) {
      sealed += content.inputs().redacted().toString().getBytes(UTF_8).length;
    }
    long bytes = base64(sealed);
    for (TaskDependency dependency : content.dependencies()) {
      bytes += DEPENDENCY_BYTES + IdListSize.jsonBytes(dependency.id());
    }
    return bytes;
  }

  /** Content is sealed, and stored in base64. */
  private static long base64(long bytes) {
    return (bytes + 2) / 3 * 4;
  }
}
