package gatebook.api.dialect;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods of A2A, with their names in each version. */
public enum A2aMethod {
  SEND("message/send", "SendMessage", false),
  STREAM("message/stream", "SendStreamingMessage", false),
  GET("tasks/get", "GetTask", true),
  LIST(null, "ListTasks", true),
  CANCEL("tasks/cancel", "CancelTask", true),
  SUBSCRIBE("tasks/resubscribe", "SubscribeToTask", true),
  CREATE_PUSH("tasks/pushNotificationConfig/set", "CreateTaskPushNotificationConfig", false),
  GET_PUSH("tasks/pushNotificationConfig/get", "GetTaskPushNotificationConfig", true),
  LIST_PUSH("tasks/pushNotificationConfig/list", "ListTaskPushNotificationConfigs", true),
  DELETE_PUSH("tasks/pushNotificationConfig/delete", "DeleteTaskPushNotificationConfig", true),
  EXTENDED_CARD("agent/getAuthenticatedExtendedCard", "GetExtendedAgentCard", true);

  private static final Map<String, VersionedMethod> BY_NAME = byName();

  private final @Nullable String nameInV03;
  private final String nameInV1;
  private final boolean idempotent;

  /** A method with the version whose name, params and result it has. */
  public record VersionedMethod(A2aMethod method, A2aVersion version) {}

  A2aMethod(@Nullable String nameInV03, String nameInV1, boolean idempotent) {
    this.nameInV03 = nameInV03;
    this.nameInV1 = nameInV1;
    this.idempotent = idempotent;
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
  public String latestName() {
    return nameInV1;
  }

  /** Whether a second request does no harm when the first one had its effect. */
  public boolean isIdempotent() {
    return idempotent;
  }

  /** Whether the response may be a stream. */
  public boolean isStream() {
    return this == STREAM || this == SUBSCRIBE;
  }

  public boolean sendsMessage() {
    return this == SEND || this == STREAM;
  }
}
