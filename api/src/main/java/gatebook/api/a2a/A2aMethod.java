package gatebook.api.a2a;

import gatebook.api.dialect.A2aVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods of A2A, with their names in each version. */
public enum A2aMethod {
  SEND("message/send", "SendMessage"),
  STREAM("message/stream", "SendStreamingMessage"),
  GET("tasks/get", "GetTask"),
  LIST(null, "ListTasks"),
  CANCEL("tasks/cancel", "CancelTask"),
  SUBSCRIBE("tasks/resubscribe", "SubscribeToTask"),
  CREATE_PUSH("tasks/pushNotificationConfig/set", "CreateTaskPushNotificationConfig"),
  GET_PUSH("tasks/pushNotificationConfig/get", "GetTaskPushNotificationConfig"),
  LIST_PUSH("tasks/pushNotificationConfig/list", "ListTaskPushNotificationConfigs"),
  DELETE_PUSH("tasks/pushNotificationConfig/delete", "DeleteTaskPushNotificationConfig"),
  EXTENDED_CARD("agent/getAuthenticatedExtendedCard", "GetExtendedAgentCard");

  private static final Map<String, VersionedMethod> BY_NAME = byName();

  private final @Nullable String nameInV03;
  private final String nameInV1;

  /** A method with the version whose name, params and result it has. */
  public record VersionedMethod(A2aMethod method, A2aVersion version) {}

  A2aMethod(@Nullable String nameInV03, String nameInV1) {
    this.nameInV03 = nameInV03;
    this.nameInV1 = nameInV1;
  }

  private static Map<String, VersionedMethod> byName() {
    Map<String, VersionedMethod> byName = new HashMap<>();
    for (A2aMethod method : values()) {
      for (A2aVersion version : A2aVersion.values()) {
        method
            .wireName(version)
            .ifPresent(name -> byName.put(name, new VersionedMethod(method, version)));
      }
    }
    return Map.copyOf(byName);
  }

  /** The method with this name in any version. */
  public static Optional<VersionedMethod> of(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The name in requests; empty in a version that does not have the method. */
  public Optional<String> wireName(A2aVersion version) {
    return switch (version) {
      case V0_3 -> Optional.ofNullable(nameInV03);
      case V1_0 -> Optional.of(nameInV1);
    };
  }

  /** The name in version 1.0, which has all methods. */
  String latestName() {
    return nameInV1;
  }
}
