package gatebook.api.flow.task;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.RetrySchedule;
import gatebook.command.tree.ReadTask;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** The definition of a stored task, of which the parts that execution needs can be read. */
public final class TaskDefinition {
  private static final int NANOS_DIGITS = 9;

  private final String json;
  private final ObjectMembers members;

  private TaskDefinition(String json) {
    this.json = json;
    this.members = ObjectMembers.of(json);
  }

  /** The definition that a request was read with. */
  public static TaskDefinition of(String json) {
    return new TaskDefinition(json);
  }

  /** The definition of a stored task; empty when it cannot be unsealed. */
  public static Optional<TaskDefinition> stored(ReadTask read) {
    return Optional.ofNullable(read.definition()).map(TaskDefinition::of);
  }

  /** The definition of a stored task; what is known of it when it cannot be unsealed. */
  public static String jsonOf(ReadTask read) {
    return StoredDefinition.whole(
        read.definition() == null
            ? "{\"name\":%s}".formatted(quoted(read.task().content().name()))
            : read.definition(),
        read);
  }

  public String json() {
    return json;
  }

  /** The tool or built-in executor; empty for a task that only groups others. */
  public Optional<String> executor() {
    return members
        .members("params")
        .text("executor_id")
        .or(() -> members.members("schemas").text("method"));
  }

  /** The JSON of the inputs. */
  public Optional<String> inputs() {
    return object(members, "inputs");
  }

  /** The JSON of the schema that the inputs must match. */
  public Optional<String> inputSchema() {
    return inputSchema(members);
  }

  /** The JSON of the schema that the inputs of a task with these members must match. */
  public static Optional<String> inputSchema(ObjectMembers task) {
    return object(task.members("schemas"), "input_schema");
  }

  /** The JSON of the owner's parameters for the executor. */
  public Optional<String> params() {
    return object(members, "params");
  }

  public Optional<String> userId() {
    return members.text("user_id");
  }

  public Optional<String> originType() {
    return members.text("origin_type");
  }

  public Optional<String> originalTaskId() {
    return members.text("original_task_id");
  }

  /** The retries that the owner asked for. */
  public Optional<RetrySchedule> retry() {
    return object(members.members("params"), "retry").map(ObjectMembers::of).map(this::retry);
  }

  private RetrySchedule retry(ObjectMembers retry) {
    int attemptsMax =
        retry
            .json("max_attempts")
            .filter(TaskDefinition::isNotNull)
            .map(Integer::valueOf)
            .orElse(ExecutorFields.ATTEMPTS_DEFAULT);
    return RetrySchedule.doubling(
        seconds(retry, "initial_delay", ExecutorFields.INITIAL_DELAY_DEFAULT),
        seconds(retry, "max_delay", ExecutorFields.DELAY_DEFAULT),
        attemptsMax - 1);
  }

  private static Duration seconds(ObjectMembers retry, String name, BigDecimal whenAbsent) {
    BigDecimal seconds =
        retry.json(name).filter(TaskDefinition::isNotNull).map(BigDecimal::new).orElse(whenAbsent);
    return Duration.ofNanos(seconds.movePointRight(NANOS_DIGITS).longValue());
  }

  private static boolean isNotNull(String json) {
    return !json.equals("null");
  }

  private static Optional<String> object(ObjectMembers members, String name) {
    return members.json(name).filter(json -> json.startsWith("{"));
  }
}
