package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;

/**
 * The error vocabulary of A2A clients that declare no version, as Vapora has it: JSON-RPC's codes,
 * and one code for everything that a gate denies or an upstream fails at. Because that code says so
 * little, data has a {@code reason} beside {@code correlation_id}.
 */
final class VaporaVocabulary implements ErrorVocabulary {

  private static final int SERVER_ERROR = -32000;

  @Override
  public ErrorWords words(Fault fault) {
    return wording(fault).http(A2aStatus.of(fault));
  }

  private static ErrorWords wording(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> standard(JsonRpcError.of(malformed), fault);
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied _, Withheld _, UpstreamFault _ -> domain(fault);
      case TaskFault task -> domain(fault).putId("task_id", task.taskId());
      case Unsupported unsupported -> unsupported(unsupported);
      case ServerFault server -> server(server);
    };
  }

  private static ErrorWords misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ -> standard(JsonRpcError.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> standard(JsonRpcError.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized _, Misdirected.HeaderMismatch _ ->
          standard(JsonRpcError.INVALID_REQUEST, fault);
      case Misdirected.RateLimited _, Misdirected.UnknownAgent _ -> domain(fault);
    };
  }

  private static ErrorWords unsupported(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _,
          Unsupported.UnsupportedOperation _,
          Unsupported.ContentTypeNotSupported _,
          Unsupported.ExtendedAgentCardNotConfigured _,
          Unsupported.ExtensionSupportRequired _ ->
          domain(fault);
      case Unsupported.ClientCapabilityMissing _, Unsupported.VersionNotSupported _ ->
          standard(JsonRpcError.INVALID_REQUEST, fault);
    };
  }

  private static ErrorWords server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable _, ServerFault.ConfigurationError _ -> domain(fault);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          ErrorWords.of(JsonRpcError.INTERNAL_ERROR);
    };
  }

  private static ErrorWords standard(JsonRpcError jsonRpcError, Fault fault) {
    PublicFault publicFault = fault.shown();
    String message =
        jsonRpcError == JsonRpcError.INVALID_PARAMS
            ? A2aVocabulary.naming(jsonRpcError.message(), fault, publicFault)
            : jsonRpcError.message();
    return ErrorWords.of(jsonRpcError.code(), message)
        .put("details", A2aVocabulary.details(fault, publicFault))
        .put("reason", publicFault.reason())
        .putFirst(publicFault.problems());
  }

  private static ErrorWords domain(Fault fault) {
    PublicFault publicFault = fault.shown();
    return ErrorWords.of(SERVER_ERROR, publicFault.sentence())
        .put(publicFault.named())
        .put("details", publicFault.details())
        .put("reason", ErrorVocabulary.nameOf(fault))
        .put("retry_after", publicFault.retryAfterSeconds())
        .putFirst(publicFault.problems());
  }
}
