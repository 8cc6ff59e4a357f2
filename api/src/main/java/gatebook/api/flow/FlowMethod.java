package gatebook.api.flow;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The methods of the task-flow protocol that are answered here. */
public enum FlowMethod {
  CREATE("tasks.create"),
  GET("tasks.get"),
  UPDATE("tasks.update"),
  DELETE("tasks.delete"),
  LIST("tasks.list"),
  CHILDREN("tasks.children"),
  TREE("tasks.tree"),
  DETAIL("tasks.detail"),
  EXECUTE("tasks.execute"),
  CANCEL("tasks.cancel"),
  COPY("tasks.copy"),
  CLONE("tasks.clone"),
  COUNT("tasks.count"),
  RUNNING_LIST("tasks.running.list"),
  RUNNING_STATUS("tasks.running.status"),
  RUNNING_COUNT("tasks.running.count"),
  RUNNING_CANCEL("tasks.running.cancel"),
  HEALTH("system.health"),
  EXECUTORS("system.executors");

  private static final Map<String, FlowMethod> BY_NAME =
      Stream.of(values()).collect(Collectors.toMap(FlowMethod::wireName, Function.identity()));

  private final String wireName;

  FlowMethod(String wireName) {
    this.wireName = wireName;
  }

  /** The name in requests. */
  public String wireName() {
    return wireName;
  }

  static Optional<FlowMethod> of(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
