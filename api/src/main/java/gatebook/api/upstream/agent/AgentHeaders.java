package gatebook.api.upstream.agent;

import gatebook.api.dialect.A2aVersion;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The headers of a caller that go on to an agent: the trace, and the extensions that the caller
 * uses. Credentials and cookies never do.
 */
final class AgentHeaders {
  private static final Set<String> TRACE = Set.of("traceparent", "tracestate");
  private static final Set<String> EXTENSIONS = Set.of("a2a-extensions", "x-a2a-extensions");

  private AgentHeaders() {}

  /** The headers for an agent that speaks this version. */
  static Map<String, String> of(Map<String, String> headers, A2aVersion spoken) {
    Map<String, String> forwarded = new HashMap<>();
    headers.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (TRACE.contains(lower)) {
        forwarded.put(lower, value);
      } else if (EXTENSIONS.contains(lower)) {
        forwarded.put(extensions(spoken), value);
      }
    });
    return forwarded;
  }

  private static String extensions(A2aVersion spoken) {
    return switch (spoken) {
      case V0_3 -> "X-A2A-Extensions";
      case V1_0 -> "A2A-Extensions";
    };
  }
}
