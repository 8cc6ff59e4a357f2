package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;

/**
 * The error vocabulary that MCP and the daemon share. Each has its own words for the errors of
 * JSON-RPC itself.
 */
abstract class GatewayVocabulary implements ErrorVocabulary {

  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;

  @Override
  public ErrorWords words(Fault fault) {
    return switch (fault) {
      case Malformed.UnknownSession unknown ->
          words(JsonRpcError.INVALID_REQUEST, unknown).http(NOT_FOUND);
      case Malformed malformed ->
          words(JsonRpcCodes.of(malformed), malformed).http(JsonRpcCodes.httpStatus(malformed));
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied denied -> GateCodes.of(denied);
      case Withheld withheld -> GateCodes.of(withheld);
      case TaskFault task -> task(task);
      case Unsupported unsupported -> words(JsonRpcCodes.of(unsupported), unsupported);
      case UpstreamFault upstream -> GateCodes.of(upstream);
      case ServerFault server -> server(server);
    };
  }

  private ErrorWords misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _, Misdirected.UnknownAgent _ ->
          words(JsonRpcError.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> words(JsonRpcError.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized _ ->
          words(JsonRpcError.INVALID_REQUEST, fault).http(UNAUTHORIZED);
      case Misdirected.RateLimited limited -> GateCodes.of(limited);
      case Misdirected.HeaderMismatch _ -> words(JsonRpcError.INVALID_REQUEST, fault);
    };
  }

  abstract ErrorWords task(TaskFault fault);

  private ErrorWords server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable unavailable -> GateCodes.of(unavailable);
      case ServerFault.ConfigurationError error -> GateCodes.of(error);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          words(JsonRpcError.INTERNAL_ERROR, fault);
    };
  }

  /** An error of JSON-RPC itself, with its reason or the first problem. */
  final ErrorWords words(JsonRpcError jsonRpcError, Fault fault) {
    PublicFault publicFault = fault.shown();
    ErrorWords errorWords = clarified(jsonRpcError, publicFault);
    return switch (jsonRpcError) {
      case INVALID_REQUEST -> errorWords.put("reason", publicFault.reason());
      case INVALID_PARAMS ->
          publicFault.problems().isEmpty()
              ? errorWords
              : words(errorWords, publicFault.problems().getFirst());
      case PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR -> errorWords;
    };
  }

  /** The words of JSON-RPC itself, with the details that the caller may know. */
  abstract ErrorWords clarified(JsonRpcError jsonRpcError, PublicFault publicFault);

  abstract ErrorWords words(ErrorWords errorWords, Problem problem);
}
