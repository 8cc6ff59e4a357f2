package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;

/**
 * The codes of A2A, with their messages. What a gate denies is, to a caller, an unsupported
 * operation.
 */
enum A2aCode {
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
  VERSION_NOT_SUPPORTED(-32009, "Version not supported");

  private final int number;
  private final String message;

  A2aCode(int number, String message) {
    this.number = number;
    this.message = message;
  }

  int number() {
    return number;
  }

  String message() {
    return message;
  }

  /** Whether it is an error of A2A itself, not of JSON-RPC. */
  boolean isOfA2a() {
    return number > JsonRpcError.INVALID_REQUEST.code();
  }

  /** The code for a fault; for one that the version has no code for, the nearest one. */
  static A2aCode of(Fault fault, A2aVersion version) {
    return switch (fault) {
      // version 1.0 has a code of its own for a body of another media type
      case Malformed.UnsupportedContentType _ when version == A2aVersion.V1_0 ->
          CONTENT_TYPE_NOT_SUPPORTED;
      case Malformed malformed -> of(JsonRpcError.of(malformed));
      case Misdirected.MethodNotFound _, Misdirected.UnknownAgent _ -> METHOD_NOT_FOUND;
      case Misdirected.InvalidParams _ -> INVALID_PARAMS;
      case Misdirected.Unauthorized _, Misdirected.HeaderMismatch _ -> INVALID_REQUEST;
      case Misdirected.RateLimited _ -> INTERNAL_ERROR;
      case Denied _, Withheld _ -> UNSUPPORTED_OPERATION;
      case TaskFault.TaskNotFound _, TaskFault.TaskExpired _ -> TASK_NOT_FOUND;
      case TaskFault.TaskNotCancelable _ -> TASK_NOT_CANCELABLE;
      case TaskFault.TaskCancelled _,
          TaskFault.InvalidStateTransition _,
          TaskFault.TaskAlreadyExecuting _,
          TaskFault.DependencyNotSatisfied _,
          TaskFault.CannotDeleteTask _ ->
          UNSUPPORTED_OPERATION;
      case TaskFault.InvalidTaskSchema _,
          TaskFault.CircularDependency _,
          TaskFault.InvalidDependencyReference _,
          TaskFault.InvalidParentReference _,
          TaskFault.TaskTreeInvalid _,
          TaskFault.ExecutorNotFound _,
          TaskFault.UnknownSkill _ ->
          INVALID_PARAMS;
      case TaskFault.SeveralTaskFaults several -> of(several.first(), version);
      case Unsupported.PushNotificationNotSupported _ -> PUSH_NOTIFICATION_NOT_SUPPORTED;
      case Unsupported.UnsupportedOperation _, Unsupported.ClientCapabilityMissing _ ->
          UNSUPPORTED_OPERATION;
      case Unsupported.ContentTypeNotSupported _ -> CONTENT_TYPE_NOT_SUPPORTED;
      case Unsupported.ExtendedAgentCardNotConfigured _ -> EXTENDED_AGENT_CARD_NOT_CONFIGURED;
      case Unsupported.ExtensionSupportRequired _ -> since1(EXTENSION_SUPPORT_REQUIRED, version);
      case Unsupported.VersionNotSupported _ -> since1(VERSION_NOT_SUPPORTED, version);
      case UpstreamFault.InvalidAgentResponse _ -> INVALID_AGENT_RESPONSE;
      case UpstreamFault.UpstreamConnectionFailed _,
          UpstreamFault.UpstreamTimeout _,
          UpstreamFault.UpstreamError _,
          UpstreamFault.ExecutorFailed _,
          UpstreamFault.CoordinatorError _,
          ServerFault.ServiceUnavailable _,
          ServerFault.ConfigurationError _,
          ServerFault.InternalError _,
          ServerFault.SerializationError _,
          ServerFault.IoError _ ->
          INTERNAL_ERROR;
    };
  }

  private static A2aCode of(JsonRpcError jsonRpcError) {
    return switch (jsonRpcError) {
      case PARSE_ERROR -> PARSE_ERROR;
      case INVALID_REQUEST -> INVALID_REQUEST;
      case METHOD_NOT_FOUND -> METHOD_NOT_FOUND;
      case INVALID_PARAMS -> INVALID_PARAMS;
      case INTERNAL_ERROR -> INTERNAL_ERROR;
    };
  }

  private static A2aCode since1(A2aCode code, A2aVersion version) {
    return switch (version) {
      case V0_3 -> UNSUPPORTED_OPERATION;
      case V1_0 -> code;
    };
  }
}
