package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.events.Tables;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The responses of the callers' port: which methods each path has, and the bytes of responses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CallersResponsesTest {

  private static final String GOLDEN = "api/src/test/resources/gatebook/api/node/";
  private static final int SILENT_MILLIS_MAX = 20_000;
  private static final String CLOSE = "Connection: close\r\n\r\n";
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  private static final List<String> METHODS =
      List.of("POST", "post", "GET", "HEAD", "DELETE", "PUT", "OPTIONS", "TRACE", "CONNECT");

  private static final List<String> PATHS =
      List.of(
          "/mcp",
          "/mcp/",
          "/mcp/v1",
          "/mcp/v2",
          "//mcp",
          "/mcp//",
          "/mcp?a=b",
          "/mcp/?a=b",
          "/mcp;a=b",
          "/mcp#a",
          "/%6dcp",
          "/MCP",
          "/rpc",
          "/rpc/",
          "/rpc/x",
          "/flow",
          "/flow/",
          "/flow?a",
          "/flow/tasks",
          "/flow/system",
          "/flow/other",
          "/flow/tasks/methods",
          "/flow/tasks/methods/",
          "/flow/tasks/t1",
          "/flow/tasks/t1/execute",
          "/flow/tasks/t1/execute/",
          "/flow/tasks/t1/execute?a=b",
          "/flow/tasks/a%2Fb/execute",
          "/flow/tasks/a+b/execute",
          "/flow/tasks//execute",
          "/flow/tasks/a/b/execute",
          "/flow/tasks/t1/execute/x",
          "/flow/tasks/methods/execute",
          "/a2a",
          "/a2a/",
          "/a2a/v1",
          "/a2a/v9",
          "/a2a/nobody",
          "/a2a/nobody/v1/",
          "/a2a/nobody/x",
          "/a2a/nobody/v1/x",
          "/a2a/no%20body",
          "/a2a/a&b",
          "/a2a/a;b",
          "/a2a/(a)",
          "/a2a//v1",
          "/a2a/.well-known",
          "/a2ax",
          "/.well-known/agent.json",
          "/.well-known/agent-card.json",
          "/.well-known/other.json",
          "/a2a/.well-known/agent.json",
          "/a2a/v1/.well-known/agent-card.json",
          "/a2a/nobody/v1/.well-known/agent.json",
          "/a2a/nobody/x/.well-known/agent.json",
          "http://elsewhere.example/mcp?x",
          "/",
          "/health",
          "/operator",
          "*",
          "mcp",
          "",
          "/mcp?x=%ZZ",
          "/m%ZZcp",
          "/m|cp");

  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started = WatchedNode.start(folder, WatchedNode.SAMPLE_RULES);
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  void everyPathHasItsMethods() throws IOException {
    StringBuilder table = new StringBuilder();
    for (String path : PATHS) {
      Map<String, List<String>> byOutcome = new LinkedHashMap<>();
      for (String method : METHODS) {
        byOutcome
            .computeIfAbsent(outcome(answer(request(method, path, ""))), _ -> new ArrayList<>())
            .add(method);
      }
      table.append(path).append('\n');
      byOutcome.forEach((outcome, methods) ->
          table.append("  %s: %s\n".formatted(outcome, String.join(" ", methods))));
    }
    Tables.expect(GOLDEN + "methods.txt", table.toString());
  }

  /** The status, and the methods that are told to be allowed. */
  private static String outcome(String answer) {
    return answer
        .lines()
        .filter(
            line -> line.startsWith("HTTP/") || line.toLowerCase(Locale.ROOT).startsWith("allow: "))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .reduce(
            "", (before, line) -> before.isEmpty() ? line.substring(0, 3) : before + ", " + line);
  }

  @Test
  void responsesAreTheseBytes() throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String request : requests()) {
      seen.append("> ")
          .append(request.replace("\r\n", "\n").replace("\n", "\n> ").stripTrailing())
          .append('\n')
          .append(masked(answer(request)).replace("\r\n", "\n").stripTrailing())
          .append("\n\n");
    }
    Tables.expect(GOLDEN + "responses.txt", seen.toString());
  }

  private static List<String> requests() {
    String post = "POST /mcp HTTP/1.1\r\nHost: localhost:PORT\r\n";
    String denied =
        """
        {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"transfer",\
        "arguments":{"to":"alice","amount":500}}}\
        """;
    String streamed =
        """
        {"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"messageId":"m",\
        "role":"user","kind":"message","parts":[{"kind":"text","text":"hello"}]}}}\
        """;
    return List.of(
        posted("/mcp", "", denied),
        posted("/mcp", "Content-Type: nonsense\r\n", PING),
        posted("/mcp", "Content-Encoding: br\r\n", PING),
        posted("/mcp", "Accept: text/html\r\n", PING),
        posted("/mcp", "Authorization: Bearer nobody\r\n", PING),
        posted("/mcp", "X-Correlation-Id: mine\r\n", PING),
        posted("/mcp", "Mcp-Session-Id: none\r\n", PING),
        posted("/mcp", "Connection: Upgrade\r\nUpgrade: websocket\r\n", PING),
        posted("/mcp", "Expect: nothing\r\n", PING),
        posted("/mcp", "Origin: http://evil.example\r\n", PING),
        posted("/mcp", "", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
        posted("/rpc", "", PING),
        posted("/rpc", "Accept: text/html\r\n", PING),
        posted("/rpc", "Accept: application/*\r\n", PING),
        posted("/rpc", "Accept: text/html, */*;q=0.1\r\n", PING),
        posted("/flow/tasks/a%20b%2F%C3%A9/execute", "", ""),
        posted("/a2a", "A2A-Version: 0.3\r\n", streamed),
        request("PUT", "/mcp", ""),
        request("HEAD", "/mcp", ""),
        request("HEAD", "/flow/tasks/methods", ""),
        request("GET", "/mcp", "Mcp-Session-Id: none\r\nAccept: text/event-stream\r\n"),
        request("GET", "/.well-known/agent.json", "If-None-Match: *\r\n"),
        request("GET", "/nope", ""),
        request("GET", "/mcp?x=%ZZ", ""),
        request("GET", "/mcp", "No colon\r\n"),
        request("GET", "/mcp", "X-Long: " + "x".repeat(9_000) + "\r\n"),
        post + CLOSE,
        post + "Content-Length: x\r\n" + CLOSE,
        post + "Content-Length: 1\r\nContent-Length: 2\r\n" + CLOSE + "{}",
        post + "Transfer-Encoding: chunked\r\n" + CLOSE + "2\r\n{}\r\n0\r\nX: trailer\r\n\r\n",
        post + "Transfer-Encoding: chunked\r\n" + CLOSE + "2\r\n{}\r\nzz\r\n\r\n",
        post + "Transfer-Encoding: gzip, chunked\r\n" + CLOSE + "0\r\n\r\n",
        post.replace("localhost", "evil.example") + "Content-Length: 2\r\n\r\n{}" + post + CLOSE,
        post.replace("1.1", "1.0") + "Content-Length: 2\r\n\r\n{}",
        post.replace("1.1", "1.0") + "Connection: keep-alive\r\nContent-Length: 2\r\n\r\n{}",
        post
            + "Content-Length: 2\r\n\r\n{}GET /nope HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"
            + post
            + "Content-Length: 3\r\n\r\n[1]"
            + request("GET", "/mcp", ""));
  }

  private static String request(String method, String path, String headers) {
    return method.equalsIgnoreCase("POST")
        ? posted(path, headers, PING).replaceFirst("POST", method)
        : "%s %s HTTP/1.1\r\nHost: localhost:PORT\r\n%s%s".formatted(method, path, headers, CLOSE);
  }

  private static String posted(String path, String headers, String body) {
    return "POST %s HTTP/1.1\r\nHost: localhost:PORT\r\n%sContent-Length: %d\r\n%s%s"
        .formatted(path, headers, body.length(), CLOSE, body);
  }

  private String answer(String request) throws IOException {
    ListenAddress at = node().at(Port.CALLERS);
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket.setSoTimeout(SILENT_MILLIS_MAX);
      String sent = request.replace("PORT", String.valueOf(at.port()));
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static String masked(String answer) {
    return answer
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID")
        .replaceAll(
            "(?m)^date: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [\\d:]{8} GMT", "date: DATE")
        .replaceAll("(?m)^ETag: \"[0-9a-f]+\"", "ETag: TAG");
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
