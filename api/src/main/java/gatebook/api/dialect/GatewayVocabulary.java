package gatebook.api.dialect;

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

/**
 * The codes that MCP and the daemon share; each says in its own way what JSON-RPC has codes for.
 */
abstract class GatewayVocabulary implements Vocabulary {

  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;

  @Override
  public Words words(Fault fault) {
    return switch (fault) {
      case Malformed.UnknownSession unknown ->
          words(Standard.INVALID_REQUEST, unknown).http(NOT_FOUND);
      case Malformed malformed ->
          words(StandardCodes.of(malformed), malformed).http(StandardCodes.httpStatus(malformed));
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied denied -> GateCodes.of(denied);
      case Withheld withheld -> GateCodes.of(withheld);
      case TaskFault task -> task(task);
      case Unsupported unsupported -> words(StandardCodes.of(unsupported), unsupported);
      case UpstreamFault upstream -> GateCodes.of(upstream);
      case ServerFault server -> server(server);
    };
  }

  private Words misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ -> words(Standard.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> words(Standard.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized _ -> words(Standard.INVALID_REQUEST, fault).http(UNAUTHORIZED);
      case Misdirected.RateLimited limited -> GateCodes.of(limited);
      case Misdirected.HeaderMismatch _ -> words(Standard.INVALID_REQUEST, fault);
    };
  }

  abstract Words task(TaskFault fault);

  private Words server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable unavailable -> GateCodes.of(unavailable);
      case ServerFault.ConfigurationError error -> GateCodes.of(error);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          words(Standard.INTERNAL_ERROR, fault);
    };
  }

  /** One of JSON-RPC's own, with what names its reason or the first problem. */
  final Words words(Standard standard, Fault fault) {
    Account account = Account.of(fault);
    Words words = clarified(standard, account);
    return switch (standard) {
      case INVALID_REQUEST -> words.put("reason", account.reason());
      case INVALID_PARAMS ->
          account.problems().isEmpty() ? words : words(words, account.problems().getFirst());
      case PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR -> words;
    };
  }

  /** JSON-RPC's own words, with the details that the caller may know. */
  abstract Words clarified(Standard standard, Account account);

  abstract Words words(Words words, Problem problem);
}
