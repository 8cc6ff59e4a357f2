package gatebook.api.upstream;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.UpstreamFault.UpstreamError;
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
   * unchanged. A missing message is replaced.
   */
  public UpstreamError fault(Source source, ForeignError error) {
    String message = error.message() == null ? "no message was given" : error.message();
    boolean isUnchanged = isPassedOn(source) && error.code() != null;
    return new UpstreamError(
        source.id(),
        error.code(),
        shortened(scrubbed.apply(message)), // in this order: half a secret looks like none
        data(error.data()),
        error.httpStatus(),
        isUnchanged ? true : null);
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
