package gatebook.api.upstream.source;

import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import java.net.URI;
import java.util.Map;

/** Sources for tests, as rules define them. */
final class TestSources {

  /** For calls that must not time out. */
  static final long PATIENT_MILLIS = 120_000;

  private TestSources() {}

  static Source mcp(URI url) {
    return source(url, Source.Kind.MCP, "", Map.of(), PATIENT_MILLIS, PATIENT_MILLIS);
  }

  /** A source that needs no negotiation before a call. */
  static Source jsonrpc(URI url) {
    return source(url, Source.Kind.JSONRPC, "", Map.of(), PATIENT_MILLIS, PATIENT_MILLIS);
  }

  static Source limited(URI url, long connectMillis, long answerMillis) {
    return source(url, Source.Kind.MCP, "", Map.of(), connectMillis, answerMillis);
  }

  static Source source(
      URI url,
      Source.Kind kind,
      String prefix,
      Map<String, String> headers,
      long connectMillis,
      long answerMillis) {
    return new Source(
        "tools",
        kind,
        url,
        prefix,
        true,
        ExposeRules.ALL,
        headers,
        Source.ForeignErrors.PASS,
        connectMillis,
        answerMillis);
  }
}
