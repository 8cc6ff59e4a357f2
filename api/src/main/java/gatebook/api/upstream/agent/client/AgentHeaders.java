package gatebook.api.upstream.agent.client;

import static java.util.stream.Collectors.joining;

import gatebook.api.dialect.A2aVersion;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The headers of a caller that go on to an agent: the trace, and the extensions that the caller
 * uses. Credentials and cookies never do.
 */
public final class AgentHeaders {
  private static final Set<String> TRACE = Set.of("traceparent", "tracestate");

  private AgentHeaders() {}

  /** The headers for an agent that speaks this version. */
  public static Map<String, String> of(Map<String, String> headers, A2aVersion spoken) {
    Map<String, String> forwarded = new HashMap<>();
    headers.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (TRACE.contains(lower)) {
        forwarded.put(lower, value);
      }
    });
    String extensions = extensions(headers);
    if (!extensions.isEmpty()) {
      forwarded.put(spoken.extensionsHeader(), extensions);
    }
    return forwarded;
  }

  /** The extensions in the headers of either version, each once; empty when there are none. */
  static String extensions(Map<String, String> headers) {
    Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(headers);
    return Stream.of(A2aVersion.V1_0, A2aVersion.V0_3)
        .map(version -> sorted.getOrDefault(version.extensionsHeader(), ""))
        .flatMap(list -> Stream.of(list.split(",", -1)))
        .map(String::strip)
        .filter(extension -> !extension.isEmpty())
        .distinct()
        .collect(joining(", "));
  }
}
