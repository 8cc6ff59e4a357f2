package gatebook.api.dialect;

import static gatebook.api.dialect.Phrases.dashed;

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
 * What agents' clients that declare no version are told: JSON-RPC's codes, and one code for
 * whatever the domain does not allow or the side behind us does not do. Since that one says so
 * little, data names the {@code reason} beside {@code correlation_id}.
 */
final class VaporaVocabulary implements Vocabulary {

  private static final int SERVER_ERROR = -32000;

  @Override
  public Words words(Fault fault) {
    return wording(fault).http(A2aStatus.of(fault));
  }

  private static Words wording(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> standard(StandardCodes.of(malformed), fault);
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied _, Withheld _, UpstreamFault _ -> domain(fault);
      case TaskFault task -> domain(fault).put("task_id", TaskIds.of(task));
      case Unsupported unsupported -> unsupported(unsupported);
      case ServerFault server -> server(server);
    };
  }

  private static Words misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ -> standard(Standard.METHOD_NOT_FOUND, fault);
      case Misdirected.InvalidParams _ -> standard(Standard.INVALID_PARAMS, fault);
      case Misdirected.Unauthorized _, Misdirected.HeaderMismatch _ ->
          standard(Standard.INVALID_REQUEST, fault);
      case Misdirected.RateLimited _ -> domain(fault);
    };
  }

  private static Words unsupported(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _,
          Unsupported.UnsupportedOperation _,
          Unsupported.ContentTypeNotSupported _,
          Unsupported.ExtendedAgentCardNotConfigured _,
          Unsupported.ExtensionSupportRequired _ ->
          domain(fault);
      case Unsupported.ClientCapabilityMissing _, Unsupported.VersionNotSupported _ ->
          standard(Standard.INVALID_REQUEST, fault);
    };
  }

  private static Words server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable _, ServerFault.ConfigurationError _ -> domain(fault);
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          Words.of(Standard.INTERNAL_ERROR);
    };
  }

  private static Words standard(Standard standard, Fault fault) {
    Account account = Account.of(fault);
    return problem(
        Words.of(standard).put("details", account.details()).put("reason", account.reason()),
        account);
  }

  private static Words domain(Fault fault) {
    Account account = Account.of(fault);
    return problem(
        Words.of(SERVER_ERROR, account.sentence())
            .put(account.named())
            .put("details", account.details())
            .put("reason", dashed(fault.kind()))
            .put("retry_after", account.retryAfterSeconds()),
        account);
  }

  private static Words problem(Words words, Account account) {
    if (account.problems().isEmpty()) {
      return words;
    }
    Problem first = account.problems().getFirst();
    return words
        .put("param", first.param())
        .put("expected", first.expected())
        .put("received", first.received())
        .put("accepted", first.accepted());
  }
}
