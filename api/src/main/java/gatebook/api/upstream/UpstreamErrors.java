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
 * Makes a fault of an upstream's own error, without the secrets in it. The fault says whether the
 * caller is told the error as it is, or as one of ours.
 */
public final class UpstreamErrors {

  /** The largest message and the largest data that are kept; of larger ones, a beginning. */
  public static final int KEPT_BYTES_MAX = 64 << 10;

  private static final int BEGINNING_CHARS = 1_024;

  private final UnaryOperator<String> scrubbed;
  private final UnaryOperator<JsonValue> scrubbedData;

  /**
   * Takes secrets out as it is told.
   *
   * @param scrubbedData also knows by the name of a member that its value is a secret
   */
  public UpstreamErrors(UnaryOperator<String> scrubbed, UnaryOperator<JsonValue> scrubbedData) {
    this.scrubbed = scrubbed;
    this.scrubbedData = scrubbedData;
  }

  /**
   * The fault that is recorded and told.
   *
   * <p>Only an error of a source of kind {@code mcp} whose code fits into 32 bits can be told as it
   * is; a message that is missing is replaced by one of ours.
   */
  public UpstreamError fault(Source source, ForeignError error) {
    String message = error.message() == null ? "no message was given" : error.message();
    boolean isPassed = passes(source) && error.code() != null;
    return new UpstreamError(
        source.id(),
        error.code(),
        shortened(scrubbed.apply(message)), // in this order: half a secret looks like none
        data(error.data()),
        error.httpStatus(),
        isPassed ? true : null);
  }

  private static boolean passes(Source source) {
    return switch (source.errors()) {
      case PASS -> source.kind() == Source.Kind.MCP;
      case WRAP -> false;
    };
  }

  /** Data beyond the limit is kept as a text, cut off. */
  private @Nullable JsonValue data(@Nullable JsonValue theirs) {
    if (theirs == null) {
      return null;
    }
    JsonValue clean = scrubbedData.apply(theirs);
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
