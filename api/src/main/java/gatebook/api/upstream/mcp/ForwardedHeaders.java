package gatebook.api.upstream.mcp;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The headers of a caller that are forwarded upstream: the trace and the headers of MCP.
 * Credentials and cookies are never forwarded.
 */
public final class ForwardedHeaders {

  static final String PROTOCOL_VERSION = "mcp-protocol-version";
  static final String MCP_PARAM = "mcp-param-";

  private static final Set<String> NAMES = Set.of("traceparent", "tracestate", PROTOCOL_VERSION);

  private ForwardedHeaders() {}

  /** The headers that are forwarded, by their names in lower case. */
  public static Map<String, String> of(Map<String, String> headers) {
    Map<String, String> forwarded = new TreeMap<>();
    headers.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (NAMES.contains(lower) || lower.startsWith(MCP_PARAM)) {
        forwarded.put(lower, value);
      }
    });
    return forwarded;
  }
}
