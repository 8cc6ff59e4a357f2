package gatebook.api.load;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Sessions of the Model Context Protocol, opened as its clients open them. */
public final class OpenedSessions {
  private static final String REVISION = "2025-06-18";

  private static final Map<String, String> HEADERS =
      Map.of("Accept", "application/json, text/event-stream", "MCP-Protocol-Version", REVISION);

  private static final String SESSION = "Mcp-Session-Id";

  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s",\
      "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\
      """
          .formatted(REVISION);

  private static final String INITIALIZED =
      """
      {"jsonrpc":"2.0","method":"notifications/initialized"}\
      """;

  private OpenedSessions() {}

  /** The headers of so many callers, each of whom has opened a session. */
  public static List<Map<String, String>> open(URI url, int callers) {
    return IntStream.range(0, callers).mapToObj(_ -> open(url)).toList();
  }

  /** Whether a server opens a session already. */
  static boolean canOpen(URI url) {
    try {
      return !open(url).isEmpty();
    } catch (IllegalStateException _) {
      return false;
    }
  }

  /** A server may do without sessions, so that its callers send no id of one. */
  private static Map<String, String> open(URI url) {
    HttpResponse<String> description = BenchRequests.post(url, HEADERS, INITIALIZE);
    if (!description.body().contains("\"protocolVersion\"")) {
      throw new IllegalStateException("%s answers %s".formatted(url, description.body()));
    }
    Map<String, String> headers = new TreeMap<>(HEADERS);
    description.headers().firstValue(SESSION).ifPresent(id -> headers.put(SESSION, id));
    int status = BenchRequests.post(url, headers, INITIALIZED).statusCode();
    if (status / 100 != 2) {
      throw new IllegalStateException("%s answers a notification with %d".formatted(url, status));
    }
    return headers;
  }
}
