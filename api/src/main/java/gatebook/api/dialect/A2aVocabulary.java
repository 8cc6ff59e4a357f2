package gatebook.api.dialect;

import static gatebook.api.dialect.ErrorPhrases.dashed;
import static gatebook.api.dialect.ErrorPhrases.parts;

import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The error vocabulary of clients that declare a version of A2A: the protocol's own codes and
 * messages.
 *
 * <p>Data is a list: first what happened, with {@code correlation_id} and all particulars as texts
 * in its metadata; then, where there are any, the fields that do not fit, and when to retry. What a
 * gate denies is, to that caller, an unsupported operation.
 */
final class A2aVocabulary implements ErrorVocabulary {

  private static final String TYPES = "type.googleapis.com/google.rpc.";

  /** A text, because metadata has only texts. */
  private static final Value NO_DATA = new Value.Checked("{}");

  private static final String DOMAIN = "a2a-protocol.org";
  private static final int PROBLEMS_MAX = 16;

  private final A2aVersion version;

  /** The codes and messages of the protocol. */
  private enum Code {
    PARSE_ERROR(-32700, "Invalid JSON payload"),
    INVALID_REQUEST(-32600, "Request payload validation error"),
    METHOD_NOT_FOUND(-32601, "Method not found"),
    INVALID_PARAMS(-32602, "Invalid parameters"),
    INTERNAL_ERROR(-32603, "Internal error"),
    TASK_NOT_FOUND(-32001, "Task not found"),
    TASK_NOT_CANCELABLE(-32002, "Task cannot be canceled"),
    PUSH_NOTIFICATION_NOT_SUPPORTED(-32003, "Push Notification is not supported"),
    UNSUPPORTED_OPERATION(-32004, "This operation is not supported"),
    CONTENT_TYPE_NOT_SUPPORTED(-32005, "Incompatible content types"),
    INVALID_AGENT_RESPONSE(-32006, "Invalid agent response"),
    EXTENDED_AGENT_CARD_NOT_CONFIGURED(-32007, "Authenticated Extended Card is not configured"),
    EXTENSION_SUPPORT_REQUIRED(-32008, "Extension support required"),
    VERSION_NOT_SUPPORTED(-32009, "Protocol version not supported");

    private final int number;
    private final String message;

    Code(int number, String message) {
      this.number = number;
      this.message = message;
    }

    static Code of(JsonRpcError jsonRpcError) {
      return switch (jsonRpcError) {
        case PARSE_ERROR -> PARSE_ERROR;
        case INVALID_REQUEST -> INVALID_REQUEST;
        case METHOD_NOT_FOUND -> METHOD_NOT_FOUND;
        case INVALID_PARAMS -> INVALID_PARAMS;
        case INTERNAL_ERROR -> INTERNAL_ERROR;
      };
    }
  }

  A2aVocabulary(A2aVersion version) {
    this.version = version;
  }

  @Override
  public ErrorWords words(Fault fault) {
    Code code = code(fault);
    PublicFault publicFault = PublicFault.of(fault);
    return ErrorWords.of(code.number, code.message)
        .put(publicFault.named())
        .put("taskId", fault instanceof TaskFault task ? FaultTaskId.of(task) : null)
        .put("summary", addsToMessage(publicFault, code) ? publicFault.sentence() : null)
        .put("details", publicFault.details())
        .put("cause", publicFault.reason())
        .http(A2aStatus.of(fault));
  }

  @Override
  public JsonValue data(
      Fault fault, ErrorWords errorWords, String correlationId, PublicText publicText) {
    PublicFault publicFault = PublicFault.of(fault);
    List<List<Member>> all = new ArrayList<>();
    all.add(errorInfo(fault, ErrorVocabulary.members(fault, errorWords, correlationId, NO_DATA)));
    if (!publicFault.problems().isEmpty()) {
      all.add(badRequest(publicFault.problems()));
    }
    if (publicFault.retryAfterSeconds() != null) {
      all.add(typed("RetryInfo", checked("retryDelay", publicFault.retryAfterSeconds() + "s")));
    }
    return JsonValue.written(json -> publicText.objects(all, json));
  }

  private static boolean addsToMessage(PublicFault publicFault, Code code) {
    return !publicFault.sentence().equals(code.message)
        && Stream.of(JsonRpcError.values())
            .noneMatch(jsonRpcError -> publicFault.sentence().equals(jsonRpcError.message()));
  }

  private static List<Member> errorInfo(Fault fault, List<Member> metadata) {
    return typed(
        "ErrorInfo",
        checked("reason", reason(fault)),
        checked("domain", DOMAIN),
        new Member("metadata", new Value.Nested(metadata)));
  }

  /**
   * What happened, as a constant for programs; the gateway's own failures are not distinguished.
   */
  private static String reason(Fault fault) {
    return switch (fault) {
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          Code.INTERNAL_ERROR.name();
      case Fault other -> dashed(other.kind()).replace('-', '_').toUpperCase(Locale.ROOT);
    };
  }

  private static List<Member> badRequest(List<Problem> problems) {
    return typed(
        "BadRequest",
        new Member(
            "fieldViolations",
            new Value.NestedList(
                problems.stream().limit(PROBLEMS_MAX).map(A2aVocabulary::violation).toList())));
  }

  private static List<Member> violation(Problem problem) {
    return List.of(
        new Member("field", new Value.Text(problem.param())),
        new Member("description", new Value.Text(description(problem))));
  }

  private static String description(Problem problem) {
    return parts(
        problem.reason(),
        problem.expected() == null ? null : "expected " + problem.expected(),
        problem.accepted().isEmpty() ? null : "one of " + String.join(" ", problem.accepted()));
  }

  private static List<Member> typed(String type, Member... members) {
    List<Member> object = new ArrayList<>(List.of(checked("@type", TYPES + type)));
    object.addAll(List.of(members));
    return object;
  }

  private static Member checked(String name, String text) {
    return new Member(name, new Value.Checked(text));
  }

  private Code code(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> Code.of(JsonRpcCodes.of(malformed));
      case Misdirected misdirected -> code(misdirected);
      case Denied _, Withheld _ -> Code.UNSUPPORTED_OPERATION;
      case TaskFault task -> code(task);
      case Unsupported unsupported -> code(unsupported);
      case UpstreamFault upstream -> code(upstream);
      case ServerFault.ServiceUnavailable _,
          ServerFault.ConfigurationError _,
          ServerFault.InternalError _,
          ServerFault.SerializationError _,
          ServerFault.IoError _ ->
          Code.INTERNAL_ERROR;
    };
  }

  private static Code code(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ -> Code.METHOD_NOT_FOUND;
      case Misdirected.InvalidParams _ -> Code.INVALID_PARAMS;
      case Misdirected.Unauthorized _, Misdirected.HeaderMismatch _ -> Code.INVALID_REQUEST;
      case Misdirected.RateLimited _ -> Code.INTERNAL_ERROR;
    };
  }

  private static Code code(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound _, TaskFault.TaskExpired _ -> Code.TASK_NOT_FOUND;
      case TaskFault.TaskNotCancelable _ -> Code.TASK_NOT_CANCELABLE;
      case TaskFault.TaskCancelled _,
          TaskFault.InvalidStateTransition _,
          TaskFault.TaskAlreadyExecuting _,
          TaskFault.DependencyNotSatisfied _,
          TaskFault.CannotDeleteTask _ ->
          Code.UNSUPPORTED_OPERATION;
      case TaskFault.InvalidTaskSchema _,
          TaskFault.CircularDependency _,
          TaskFault.InvalidDependencyReference _,
          TaskFault.InvalidParentReference _,
          TaskFault.TaskTreeInvalid _,
          TaskFault.ExecutorNotFound _,
          TaskFault.UnknownSkill _ ->
          Code.INVALID_PARAMS;
      case TaskFault.SeveralTaskFaults several -> code(several.first());
    };
  }

  private Code code(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _ -> Code.PUSH_NOTIFICATION_NOT_SUPPORTED;
      case Unsupported.UnsupportedOperation _ -> Code.UNSUPPORTED_OPERATION;
      case Unsupported.ContentTypeNotSupported _ -> Code.CONTENT_TYPE_NOT_SUPPORTED;
      case Unsupported.ExtendedAgentCardNotConfigured _ -> Code.EXTENDED_AGENT_CARD_NOT_CONFIGURED;
      case Unsupported.ExtensionSupportRequired _ ->
          switch (version) {
            case V0_3 -> Code.UNSUPPORTED_OPERATION; // its own code came later
            case V1_0 -> Code.EXTENSION_SUPPORT_REQUIRED;
          };
      case Unsupported.ClientCapabilityMissing _ -> Code.UNSUPPORTED_OPERATION;
      case Unsupported.VersionNotSupported _ -> Code.VERSION_NOT_SUPPORTED;
    };
  }

  private static Code code(UpstreamFault fault) {
    return switch (fault) {
      case UpstreamFault.InvalidAgentResponse _ -> Code.INVALID_AGENT_RESPONSE;
      case UpstreamFault.UpstreamConnectionFailed _,
          UpstreamFault.UpstreamTimeout _,
          UpstreamFault.UpstreamError _,
          UpstreamFault.ExecutorFailed _,
          UpstreamFault.CoordinatorError _ ->
          Code.INTERNAL_ERROR;
    };
  }
}
