package gatebook.api.flow.read;

import static gatebook.api.rpc.JsonStrings.quoted;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The methods of the task-flow protocol that are answered here. */
public enum FlowMethod {
  CREATE("tasks.create", "Creates a tree of tasks, or adds a task to the tree of its parent"),
  GET("tasks.get", "Answers with one task"),
  UPDATE("tasks.update", "Changes a pending task"),
  DELETE("tasks.delete", "Deletes a pending task without children and dependents"),
  LIST("tasks.list", "Lists the caller's tasks, newest first"),
  CHILDREN("tasks.children", "Lists the direct children of a task"),
  TREE("tasks.tree", "Answers with a task and all tasks below it"),
  DETAIL("tasks.detail", "Answers with one task"),
  EXECUTE(
      "tasks.execute",
      "Runs a stored task or new ones: a root with its whole tree, another task with what it"
          + " depends on"),
  CANCEL("tasks.cancel", "Cancels tasks that have not ended, and the calls that run them"),
  COPY(
      "tasks.copy",
      "Copies or links a task, and what is below it, into a tree of its own; archives them in"
          + " place"),
  CLONE(
      "tasks.clone",
      "Copies or links a task, and what is below it, into a tree of its own; archives them in"
          + " place"),
  COUNT("tasks.count", "Counts the caller's tasks for each status"),
  RUNNING_LIST("tasks.running.list", "Lists the caller's tasks that run"),
  RUNNING_STATUS("tasks.running.status", "Answers with the status of each task that is named"),
  RUNNING_COUNT("tasks.running.count", "Counts the caller's tasks that run"),
  RUNNING_CANCEL(
      "tasks.running.cancel", "Cancels tasks that have not ended, and the calls that run them"),
  HEALTH("system.health", "Answers whether the node serves"),
  EXECUTORS("system.executors", "Lists the tools that the caller may use as executors");

  private static final Map<String, FlowMethod> BY_NAME =
      Stream.of(values()).collect(Collectors.toMap(FlowMethod::wireName, Function.identity()));

  private final String wireName;
  private final String description;

  FlowMethod(String wireName, String description) {
    this.wireName = wireName;
    this.description = description;
  }

  /** The JSON that lists the methods for callers. */
  public static String list() {
    return Stream.of(values())
        .map(method ->
            "{\"name\":%s,\"description\":%s}"
                .formatted(quoted(method.wireName), quoted(method.description)))
        .collect(Collectors.joining(",", "{\"methods\":[", "]}"));
  }

  /** The name in requests. */
  public String wireName() {
    return wireName;
  }

  /** What the method does, in one sentence. */
  String description() {
    return description;
  }

  public static Optional<FlowMethod> of(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
