package gatebook.api.dialect;

import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.Unsupported.ClientCapabilityMissing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The error vocabulary of MCP.
 *
 * <p>Data always carries {@code correlation_id}; {@code gate} and {@code tool} when a gate denied a
 * call of a tool, {@code details} with what the caller may know beyond the message. An invalid
 * request has its {@code reason}, invalid params the first problem as {@code param}, {@code
 * expected}, {@code received} and {@code accepted}.
 */
final class McpVocabulary extends GatewayVocabulary {

  private static final int HEADER_MISMATCH = -32_020;
  private static final int CAPABILITY_MISSING = -32_021;
  private static final int VERSION_NOT_SUPPORTED = -32_022;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** Only these become names of members, which are neither scrubbed nor cut. */
  private static final Set<String> CAPABILITIES =
      Set.of(
          "elicitation",
          "roots",
          "sampling",
          ClientCapabilityMissing.EXTENSIONS + "io.modelcontextprotocol/tasks");

  private static final String VERSION = "v?[0-9][0-9.-]{0,31}";

  private final boolean isStateless;

  /**
   * The vocabulary of some revisions.
   *
   * @param isStateless whether the revisions are those without sessions, which have an HTTP status
   *     for an unknown method
   */
  McpVocabulary(boolean isStateless) {
    this.isStateless = isStateless;
  }

  /** These codes and this status occur only in the revisions of MCP that define them. */
  @Override
  public ErrorWords words(Fault fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound _ when isStateless -> super.words(fault).http(NOT_FOUND);
      case Misdirected.HeaderMismatch(var header) ->
          ErrorWords.of(HEADER_MISMATCH, "Header does not match the request")
              .put("header", header)
              .http(BAD_REQUEST);
      case Unsupported.VersionNotSupported(_, var supported) when isOfOlderRevisions(supported) ->
          ErrorWords.of(JsonRpcError.INVALID_REQUEST)
              .put("details", "the protocol version is not supported")
              .put("reason", "unsupported-version")
              .put("accepted", supported)
              .http(BAD_REQUEST);
      case Unsupported.VersionNotSupported(var requested, var supported) ->
          ErrorWords.of(VERSION_NOT_SUPPORTED, "Unsupported protocol version")
              .put("supported", supported)
              .put("requested", requested.matches(VERSION) ? requested : "unknown")
              .http(BAD_REQUEST);
      case ClientCapabilityMissing(var required) ->
          ErrorWords.of(CAPABILITY_MISSING, "Missing required client capability")
              .put("requiredCapabilities", capabilities(required))
              .put("details", String.join(", ", required))
              .http(BAD_REQUEST);
      case Misdirected.InvalidParams params when isOfEveryRequest(params) ->
          super.words(params).http(BAD_REQUEST);
      case Fault other -> super.words(other);
    };
  }

  /** The code for versions is defined only in the revisions of which every request names one. */
  private static boolean isOfOlderRevisions(List<String> supported) {
    return supported.containsAll(McpRevisions.NEGOTIATED);
  }

  /** The capabilities as a client declares them. */
  private static ErrorWords.Value capabilities(List<String> required) {
    List<ErrorWords.Member> capabilities = new ArrayList<>();
    List<ErrorWords.Member> extensions = new ArrayList<>();
    for (String name : required.stream().filter(CAPABILITIES::contains).toList()) {
      if (name.startsWith(ClientCapabilityMissing.EXTENSIONS)) {
        extensions.add(empty(name.substring(ClientCapabilityMissing.EXTENSIONS.length())));
      } else {
        capabilities.add(empty(name));
      }
    }
    if (!extensions.isEmpty()) {
      capabilities.add(
          new ErrorWords.Member("extensions", new ErrorWords.Value.Nested(extensions)));
    }
    return new ErrorWords.Value.Nested(capabilities);
  }

  private static ErrorWords.Member empty(String name) {
    return new ErrorWords.Member(name, new ErrorWords.Value.Nested(List.of()));
  }

  private static boolean isOfEveryRequest(Misdirected.InvalidParams params) {
    return params.problems().stream().anyMatch(problem -> problem.param().startsWith("_meta."));
  }

  @Override
  ErrorWords clarified(JsonRpcError jsonRpcError, @Nullable String details) {
    return ErrorWords.of(jsonRpcError).put("details", details);
  }
}
