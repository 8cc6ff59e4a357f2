package gatebook.api.upstream.agent;

import gatebook.api.dialect.A2aVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A method of agents, with its name in each version. */
enum AgentMethod {
  SEND_MESSAGE("message/send", "SendMessage", false),
  SEND_STREAMING_MESSAGE("message/stream", "SendStreamingMessage", false),
  GET_TASK("tasks/get", "GetTask", true),
  LIST_TASKS(null, "ListTasks", true),
  CANCEL_TASK("tasks/cancel", "CancelTask", true),
  SUBSCRIBE_TO_TASK("tasks/resubscribe", "SubscribeToTask", true);

  private final @Nullable String oldName;
  private final String newName;
  private final boolean repeatable;

  AgentMethod(@Nullable String oldName, String newName, boolean repeatable) {
    this.oldName = oldName;
    this.newName = newName;
    this.repeatable = repeatable;
  }

  /** The name of the method; empty when the version has no such method. */
  Optional<String> nameIn(A2aVersion version) {
    return switch (version) {
      case V0_3 -> Optional.ofNullable(oldName);
      case V1_0 -> Optional.of(newName);
    };
  }

  /** Whether a second request does no harm when the first one had its effect. */
  boolean isRepeatable() {
    return repeatable;
  }

  boolean sendsMessage() {
    return this == SEND_MESSAGE || this == SEND_STREAMING_MESSAGE;
  }

  /** A method with the version that has it by this name. */
  record Named(AgentMethod method, A2aVersion version) {}

  /** The method that has this name in any version. */
  static Optional<Named> named(String name) {
    for (AgentMethod method : values()) {
      for (A2aVersion version : A2aVersion.values()) {
        if (method.nameIn(version).filter(name::equals).isPresent()) {
          return Optional.of(new Named(method, version));
        }
      }
    }
    return Optional.empty();
  }
}
