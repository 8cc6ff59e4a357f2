package gatebook.api.upstream;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns errors of an upstream into faults, without the secrets in them. The fault says whether the
 * caller gets the error unchanged or as a Gatebook error.
 */
public final class UpstreamErrors {

  /** The limit for a message and for data; of larger ones only the beginning is kept. */
  public static final int KEPT_BYTES_MAX = 64 << 10;

  private static final int BEGINNING_CHARS = 1_024;
  private static final int INVALID_REQUEST = -32_600;
  private static final int INVALID_PARAMS = -32_602;
  private static final int CONTENT_TYPE_NOT_SUPPORTED = -32_005;
  private static final int EXTENDED_CARD_NOT_CONFIGURED = -32_007;
  private static final int EXTENSION_SUPPORT_REQUIRED = -32_008;

  private final UnaryOperator<String> scrubbed;
  private final UnaryOperator<JsonValue> scrubbedData;

  /**
   * Removes secrets with the given functions.
   *
   * @param scrubbedData also recognises secrets by the names of members
   */
  public UpstreamErrors(UnaryOperator<String> scrubbed, UnaryOperator<JsonValue> scrubbedData) {
    this.scrubbed = scrubbed;
    this.scrubbedData = scrubbedData;
  }

  /**
   * The fault that is recorded and reported to the caller.
   *
   * <p>Only an error of a source of kind {@code mcp} whose code fits into 32 bits can be passed on
   * unchanged. An agent's errors about the request and its params, and about media types, cards and
   * extensions, become faults of their own: only the agent knows what it takes. A missing message
   * is replaced.
   */
  public Fault fault(Source source, ForeignError error) {
    String message =
        shortened( // in this order: half a secret looks like none
            scrubbed.apply(error.message() == null ? "no message was given" : error.message()));
    return mistake(source, error, message)
        .orElseGet(() ->
            new UpstreamError(
                source.id(),
                error.code(),
                message,
                data(error.data()),
                error.httpStatus(),
                passed(source, error)));
  }

  /** The fault for an agent's error that reports a mistake of the caller. */
  private static Optional<Fault> mistake(Source source, ForeignError error, String message) {
    return source.kind() == Source.Kind.A2A
        ? switch (error.code()) {
          case INVALID_REQUEST ->
              Optional.of(new Malformed.InvalidRequest(EnvelopeDefect.REFUSED_BY_AGENT, message));
          case INVALID_PARAMS ->
              Optional.of(
                  new Misdirected.InvalidParams(
                      List.of(new Problem("params", message, null, null, List.of()))));
          case CONTENT_TYPE_NOT_SUPPORTED ->
              Optional.of(new Unsupported.ContentTypeNotSupported(message, List.of()));
          case EXTENDED_CARD_NOT_CONFIGURED ->
              Optional.of(new Unsupported.ExtendedAgentCardNotConfigured());
          case EXTENSION_SUPPORT_REQUIRED ->
              Optional.of(new Unsupported.ExtensionSupportRequired(message));
          case null, default -> Optional.empty();
        }
        : Optional.empty();
  }

  /** Without a code nothing but this shows that the source sent an error. */
  private static @Nullable Boolean passed(Source source, ForeignError error) {
    if (error.code() == null) {
      return false;
    }
    return isPassedOn(source) ? true : null;
  }

  private static boolean isPassedOn(Source source) {
    return switch (source.errors()) {
      case PASS -> source.kind() == Source.Kind.MCP;
      case WRAP -> false;
    };
  }

  /** Data beyond the limit is kept as a string with its beginning. */
  private @Nullable JsonValue data(@Nullable JsonValue received) {
    if (received == null) {
      return null;
    }
    JsonValue clean = scrubbedData.apply(received);
    return isSmall(clean.toString())
        ? clean
        : JsonValue.parse(quoted(TextPrefix.of(clean.toString(), BEGINNING_CHARS)));
  }

  private static String shortened(String text) {
    return isSmall(text) ? text : TextPrefix.of(text, BEGINNING_CHARS);
  }

  private static boolean isSmall(String text) {
    return text.length() <= KEPT_BYTES_MAX && text.getBytes(UTF_8).length <= KEPT_BYTES_MAX;
  }
}
