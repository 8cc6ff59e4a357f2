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
import gatebook.api.rpc.RequestMember;
import gatebook.api.rpc.TimeText;
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
  private final A2aVersion version;
  private final A2aParams declared;
  private final CheckedMembers params;

  private A2aRequestReader(VersionedMethod method, @Nullable String params) {
    this.version = method.version();
    this.declared = A2aParams.of(version);
    this.params = declared.checked(method.method(), params);
  }

  /**
   * Reads a request.
   *
   * @param params the text of an object or array; absent where there was none
   */
  public static A2aReading read(VersionedMethod method, @Nullable String params) {
    A2aRequestReader reader = new A2aRequestReader(method, params);
    A2aRequest request = reader.request(method.method());
    List<Problem> problems = reader.params.problems();
    return problems.isEmpty() ? new Understood(request) : new Rejected(new InvalidParams(problems));
  }

  /** What is read is of use only if nothing was found. */
  private A2aRequest request(A2aMethod method) {
    return switch (method) {
      case SEND -> new A2aRequest.Send(message(), options(), metadata());
      case STREAM -> new A2aRequest.Stream(message(), options(), metadata());
      case GET -> new A2aRequest.Get(id(A2aParams.TASK), historyLength(params));
      case LIST -> list();
      case CANCEL -> new A2aRequest.Cancel(id(A2aParams.TASK), metadata());
      case SUBSCRIBE -> new A2aRequest.Subscribe(id(A2aParams.TASK));
      case CREATE_PUSH ->
          new A2aRequest.CreatePush(
              push(isV1() ? params : params.inner(declared.push), id(A2aParams.TASK_ID)));
      case GET_PUSH -> new A2aRequest.GetPush(taskOfPush(), configOfPush());
      case LIST_PUSH ->
          new A2aRequest.ListPush(
              taskOfPush(),
              params.whole(A2aParams.PUSH_PAGE_SIZE).orElse(null),
              params.text(A2aParams.PAGE_TOKEN).orElse(null));
      case DELETE_PUSH ->
          new A2aRequest.DeletePush(taskOfPush(), Objects.requireNonNullElse(configOfPush(), ""));
      case EXTENDED_CARD -> new A2aRequest.ExtendedCard();
    };
  }

  private A2aMessage message() {
    return new A2aMessageReader(version, declared).read(params.inner(declared.message));
  }

  private @Nullable String metadata() {
    return params.json(A2aParams.METADATA).orElse(null);
  }

  private SendOptions options() {
    CheckedMembers configuration = params.inner(declared.configuration);
    CheckedMembers push = configuration.inner(declared.push);
    return new SendOptions(
        configuration.texts(A2aParams.OUTPUT_MODES),
        isV1()
            ? !configuration.flag(A2aParams.RETURN_IMMEDIATELY)
            : configuration.flag(A2aParams.BLOCKING_V03),
        historyLength(configuration),
        configuration.has(declared.push)
            ? push(push, push.text(A2aParams.TASK_ID).orElse(null))
            : null);
  }

  private boolean isV1() {
    return version == A2aVersion.V1_0;
  }

  private String id(RequestMember member) {
    return params.text(member).orElse("");
  }

  private static @Nullable Integer historyLength(CheckedMembers members) {
    return members.whole(A2aParams.HISTORY_LENGTH).orElse(null);
  }

  private A2aRequest list() {
    return new ListTasks(
        params.text(A2aParams.CONTEXT_ID).orElse(null),
        params.word(declared.status, A2aTaskState.words(version)).orElse(null),
        params.text(A2aParams.STATUS_AFTER).flatMap(TimeText::parse).orElse(null),
        params.whole(A2aParams.PAGE_SIZE).orElse(ListTasks.PAGE_SIZE_DEFAULT),
        params.text(A2aParams.PAGE_TOKEN).orElse(null),
        historyLength(params),
        params.flag(A2aParams.INCLUDE_ARTIFACTS));
  }

  private String taskOfPush() {
    return id(isV1() ? A2aParams.TASK_ID : A2aParams.TASK);
  }

  private @Nullable String configOfPush() {
    return params.text(isV1() ? A2aParams.PUSH_ID : A2aParams.PUSH_ID_V03).orElse(null);
  }

  private PushConfig push(CheckedMembers config, @Nullable String taskId) {
    CheckedMembers authentication = config.inner(declared.authentication);
    return new PushConfig(
        taskId,
        config.text(A2aParams.PUSH_ID).orElse(null),
        config.text(A2aParams.PUSH_URL).orElse(""),
        config.text(A2aParams.TOKEN).orElse(null),
        config.has(declared.authentication)
            ? new PushAuthentication(
                isV1()
                    ? authentication.text(A2aParams.SCHEME).stream().toList()
                    : authentication.texts(A2aParams.SCHEMES_V03),
                authentication.text(A2aParams.CREDENTIALS).orElse(null))
            : null);
  }
}
