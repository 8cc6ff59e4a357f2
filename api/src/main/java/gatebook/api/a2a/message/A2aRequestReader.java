package gatebook.api.a2a.message;

import gatebook.api.a2a.message.A2aReading.Rejected;
import gatebook.api.a2a.message.A2aReading.Understood;
import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.a2a.message.A2aRequest.PushAuthentication;
import gatebook.api.a2a.message.A2aRequest.PushConfig;
import gatebook.api.a2a.message.A2aRequest.SendOptions;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.CheckedMembers;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of A2A in the shapes of one version. Unknown members are ignored, and so are
 * those with the value {@code null}.
 */
public final class A2aRequestReader {
  private static final String EMPTY = "{}";

  /** The most problems that are reported, since each is stored and sent. */
  private static final int PROBLEMS_MAX = 100;

  private static final int TOKEN_CHARS_MAX = 1_024;
  private static final int URL_CHARS_MAX = 8_192;
  private static final String ID = "id";
  private static final String MESSAGE = "message";
  private static final String METADATA = "metadata";
  private static final String AUTHENTICATION = "authentication";
  private static final String UNSPECIFIED = "TASK_STATE_UNSPECIFIED";

  private final A2aMembers params;

  private A2aRequestReader(A2aMembers params) {
    this.params = params;
  }

  /**
   * Reads a request.
   *
   * @param params the text of an object or array; absent where there was none
   */
  public static A2aReading read(VersionedMethod method, @Nullable String params) {
    String json = params == null ? EMPTY : params;
    CheckedMembers members = CheckedMembers.of(json, "");
    if (!json.startsWith("{")) {
      members.addWrongType("params", "object", json);
    }
    A2aRequest request =
        new A2aRequestReader(new A2aMembers(members, method.version())).request(method.method());
    List<Problem> problems = members.problems().stream().limit(PROBLEMS_MAX).toList();
    return problems.isEmpty() ? new Understood(request) : new Rejected(new InvalidParams(problems));
  }

  /** What is read is of use only if nothing was found. */
  private A2aRequest request(A2aMethod method) {
    return switch (method) {
      case SEND -> new A2aRequest.Send(message(), options(), params.object(METADATA));
      case STREAM -> new A2aRequest.Stream(message(), options(), params.object(METADATA));
      case GET -> new A2aRequest.Get(params.requiredId(ID), historyLength(params));
      case LIST -> list();
      case CANCEL -> new A2aRequest.Cancel(params.requiredId(ID), params.object(METADATA));
      case SUBSCRIBE -> new A2aRequest.Subscribe(params.requiredId(ID));
      case CREATE_PUSH -> new A2aRequest.CreatePush(createdPush());
      case GET_PUSH -> getPush();
      case LIST_PUSH ->
          new A2aRequest.ListPush(
              taskOfPush(),
              params.whole("pageSize", 0, Integer.MAX_VALUE),
              params.text("pageToken", TOKEN_CHARS_MAX).orElse(null));
      case DELETE_PUSH -> new A2aRequest.DeletePush(taskOfPush(), configOfPush());
      case EXTENDED_CARD -> new A2aRequest.ExtendedCard();
    };
  }

  private A2aMessage message() {
    params.checked().require(MESSAGE, "object");
    return params.object(MESSAGE) == null
        ? A2aMessageReader.none()
        : A2aMessageReader.read(params.inner(MESSAGE));
  }

  private SendOptions options() {
    A2aMembers configuration = params.inner("configuration");
    return new SendOptions(
        configuration.texts("acceptedOutputModes"),
        isV1()
            ? !configuration.flag("returnImmediately").orElse(false)
            : configuration.flag("blocking").orElse(true),
        historyLength(configuration),
        pushOf(configuration));
  }

  private @Nullable PushConfig pushOf(A2aMembers configuration) {
    String name = isV1() ? "taskPushNotificationConfig" : "pushNotificationConfig";
    if (!configuration.has(name)) {
      return null;
    }
    A2aMembers push = configuration.inner(name);
    return push(push, push.optionalId("taskId"));
  }

  private boolean isV1() {
    return params.version() == A2aVersion.V1_0;
  }

  private static @Nullable Integer historyLength(A2aMembers members) {
    return members.whole("historyLength", 0, Integer.MAX_VALUE);
  }

  private A2aRequest list() {
    Integer pageSize = params.whole("pageSize", 1, ListTasks.PAGE_SIZE_MAX);
    return new ListTasks(
        params.optionalId("contextId"),
        state(),
        params.time("statusTimestampAfter").orElse(null),
        Objects.requireNonNullElse(pageSize, ListTasks.PAGE_SIZE_DEFAULT),
        params.text("pageToken", TOKEN_CHARS_MAX).orElse(null),
        historyLength(params),
        params.flag("includeArtifacts").orElse(false));
  }

  private @Nullable A2aTaskState state() {
    return params.checked().members().text("status").filter(UNSPECIFIED::equals).isPresent()
        ? null
        : params.word("status", A2aTaskState.words(params.version())).orElse(null);
  }

  /** The task's id and the configuration, side by side in 1.0. */
  private PushConfig createdPush() {
    String taskId = params.requiredId("taskId");
    if (isV1()) {
      return push(params, taskId);
    }
    params.checked().require("pushNotificationConfig", "object");
    return push(params.inner("pushNotificationConfig"), taskId);
  }

  private A2aRequest getPush() {
    return new A2aRequest.GetPush(
        taskOfPush(), isV1() ? configOfPush() : params.optionalId("pushNotificationConfigId"));
  }

  private String taskOfPush() {
    return params.requiredId(isV1() ? "taskId" : ID);
  }

  private String configOfPush() {
    return params.requiredId(isV1() ? ID : "pushNotificationConfigId");
  }

  private static PushConfig push(A2aMembers config, @Nullable String taskId) {
    return new PushConfig(
        taskId,
        config.optionalId(ID),
        config.required("url", URL_CHARS_MAX),
        config.text("token", TOKEN_CHARS_MAX).orElse(null),
        config.has(AUTHENTICATION) ? authentication(config.inner(AUTHENTICATION)) : null);
  }

  private static PushAuthentication authentication(A2aMembers members) {
    List<String> schemes =
        switch (members.version()) {
          case V0_3 -> schemes(members);
          case V1_0 -> List.of(members.required("scheme", TOKEN_CHARS_MAX));
        };
    return new PushAuthentication(schemes, members.text("credentials", URL_CHARS_MAX).orElse(null));
  }

  private static List<String> schemes(A2aMembers members) {
    members.checked().require("schemes", "array");
    return members.texts("schemes");
  }
}
