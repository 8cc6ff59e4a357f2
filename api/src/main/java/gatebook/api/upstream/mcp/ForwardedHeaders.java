package gatebook.api.upstream.mcp;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which of a caller's headers go upstream: the trace, and what MCP says with headers. Credentials
 * and cookies never do.
 */
public final class ForwardedHeaders {

  static final String PROTOCOL_VERSION = "mcp-protocol-version";
  static final String MCP_PARAM = "mcp-param-";

  private static final Set<String> NAMES = Set.of("traceparent", "tracestate", PROTOCOL_VERSION);

  private ForwardedHeaders() {}

  /** Those of the headers that go upstream, by their names in lower case. */
  public static Map<String, String> of(Map<String, String> headers) {
    Map<String, String> passed = new TreeMap<>();
    headers.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (NAMES.contains(lower) || lower.startsWith(MCP_PARAM)) {
        passed.put(lower, value);
      }
    });
    return passed;
  }
}
