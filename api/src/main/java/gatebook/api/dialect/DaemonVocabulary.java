package gatebook.api.dialect;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The error vocabulary of a daemon's callers: JSON-RPC's own messages, each followed by a colon and
 * its details, and as little data as possible.
 *
 * <p>Data carries {@code correlation_id}; for an invalid request also its {@code reason}, for
 * invalid params {@code details}, {@code param}, {@code expected}, {@code received}, and {@code
 * accepted} where only some values are. The errors that a gateway adds are those of MCP.
 */
final class DaemonVocabulary extends GatewayVocabulary {

  private static final JsonValue WITHHELD = JsonValue.parse("\"not told\"");

  /**
   * The message for a batch is that of other daemons of this kind, word for word. Of the media
   * types that HTTP accepts, frames accept only one.
   */
  @Override
  public ErrorWords words(Fault fault) {
    return switch (fault) {
      case Malformed.BatchNotSupported _ ->
          ErrorWords.of(JsonRpcError.INVALID_REQUEST.code(), "Batch requests not supported")
              .put("reason", fault.shown().reason());
      case Malformed.UnsupportedContentType _ ->
          clarified(JsonRpcError.INVALID_REQUEST, "send application/vscode-jsonrpc")
              .put("reason", fault.shown().reason());
      case Misdirected.InvalidParams params ->
          super.words(params).put("details", params.shown().details());
      case Fault other -> super.words(other);
    };
  }

  @Override
  ErrorWords unfit(Fault fault, String param, String expected) {
    return problem(
        clarified(JsonRpcError.INVALID_PARAMS, fault.shown().details()),
        new Problem(param, null, expected, null, List.of()));
  }

  @Override
  ErrorWords clarified(JsonRpcError jsonRpcError, @Nullable String details) {
    return details == null
        ? ErrorWords.of(jsonRpcError)
        : ErrorWords.of(jsonRpcError.code(), jsonRpcError.message() + ": " + details);
  }

  /** All three members are always present; a value that may be a secret is left out. */
  @Override
  ErrorWords problem(ErrorWords errorWords, Problem problem) {
    return errorWords
        .put("param", problem.param())
        .put("expected", Objects.requireNonNullElse(problem.expectation(), "another value"))
        .put("received", Objects.requireNonNullElse(problem.received(), WITHHELD))
        .put("accepted", problem.accepted());
  }
}
