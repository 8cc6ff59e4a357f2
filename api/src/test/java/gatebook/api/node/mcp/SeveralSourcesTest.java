package gatebook.api.node.mcp;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.Port;
import gatebook.api.mcp.McpServer;
import gatebook.api.mcp.StatelessServer;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of stateless MCP over HTTP, with several sources at once. */
final class SeveralSourcesTest {

  private static final String META =
      """
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}\
      """;

  private static final String BOTH = "Accept: application/json, text/event-stream";

  /** What the log says of a source that refuses connections. */
  private static final String[] REFUSED = {
    "\"source\":\"two\"",
    "\"fault\":\"UpstreamConnectionFailed\"",
    "\"reason\":\"connection refused\""
  };

  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";

  @TempDir private Path folder;
  private StatelessServer one;
  private StatelessServer two;
  private WatchedNode node;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws IOException {
    one = new StatelessServer("one");
    two = new StatelessServer("two");
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: one, kind: mcp, url: "%s", expose: {mode: blocklist, tools: ["file:///secret*"]}, timeout: 2s}
              - {id: two, kind: mcp, url: "%s", prefix: two_, timeout: 2s}
            governance: {defaults: {action: forward}}
            """
                .formatted(one.url(), two.url()));
  }

  @AfterEach
  void stop() {
    node.close();
    one.close();
    two.close();
  }

  @Test
  void listenerOfSeveralSourcesGetsOneAcknowledgementWithPrefixedNames() throws Exception {
    try (BufferedReader stream =
        listen(
            "c",
            """
            "toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["two_file:///b","file:///a","file:///c"]\
            """)) {
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"notifications":{"toolsListChanged":true,"resourceSubscriptions":["two_file:///b","file:///a","file:///c"]}}}\
              """);
      assertThat(listened(one))
          .containsExactly(
              """
              {"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///a","file:///c"]}}\
              """);
      assertThat(listened(two))
          .containsExactly(
              """
              {"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///b"]}}\
              """);

      two.notifySubscribers("resources/updated", "\"uri\":\"file:///b\"");
      assertThat(data(stream)).isEqualTo(updated("two_file:///b"));
      one.notifySubscribers("resources/updated", "\"uri\":\"file:///a\"");
      assertThat(data(stream)).isEqualTo(updated("file:///a"));
    }
    await().until(() -> one.closedStreams.size() == 1 && two.closedStreams.size() == 1);
    assertThat(event("c", CallReceived.class).map(CallReceived::target))
        .containsExactly("two_file:///b file:///a file:///c");
    assertThat(event("c", CallForwarded.class).map(CallForwarded::source))
        .containsExactly("two", "one");
  }

  @Test
  void resourcesAreGovernedBeforeForwarding() throws Exception {
    HttpResponse<String> answer =
        post(
            "c",
            listening(
                """
                "resourceSubscriptions":["two_file:///b","file:///secret/a"]\
                """));

    assertThat(answer.body()).contains("\"code\":-32015");
    assertThat(event("c", GateDenied.class).map(GateDenied::target))
        .containsExactly("file:///secret/a");
    assertThat(event("c", CallReceived.class).map(CallReceived::target))
        .containsExactly("two_file:///b file:///secret/a");
    assertThat(Stream.concat(listened(one).stream(), listened(two).stream())).isEmpty();
  }

  @Test
  void listChangesOfEverySourceReachTheListener() throws Exception {
    try (BufferedReader stream = listen("c", "\"toolsListChanged\":true")) {
      assertThat(data(stream)).contains("{\"toolsListChanged\":true}");
      one.notifySubscribers("tools/list_changed", "");
      assertThat(data(stream)).contains("notifications/tools/list_changed");
      two.notifySubscribers("tools/list_changed", "");
      assertThat(data(stream)).contains("notifications/tools/list_changed");
    }
    await().until(() -> one.closedStreams.size() == 1 && two.closedStreams.size() == 1);
    assertThat(event("c", CallForwarded.class)).isEmpty();
    await().until(() -> event("c", CallAbandoned.class).count() == 1);
  }

  @Test
  void sourceWithoutMatchingSubscriptionsIsNotCalled() throws Exception {
    try (BufferedReader stream =
        listen(
            "c",
            """
            "resourceSubscriptions":["two_file:///b"]\
            """)) {
      assertThat(data(stream))
          .contains(
              """
              {"resourceSubscriptions":["two_file:///b"]}\
              """);
    }
    assertThat(listened(one)).isEmpty();
  }

  @Test
  void failingSourceDoesNotAffectTheOthers() throws Exception {
    one.refusesListen = true;
    try (BufferedReader stream =
        listen(
            "c",
            """
            "resourceSubscriptions":["file:///a","two_file:///b"]\
            """)) {
      assertThat(data(stream))
          .contains(
              """
              {"resourceSubscriptions":["two_file:///b"]}\
              """);
    }
    one.refusesListen = false;
    one.neverAcknowledges = true;
    try (BufferedReader stream = listen("d", "\"toolsListChanged\":true")) {
      assertThat(data(stream)).contains("{\"toolsListChanged\":true}");
      await().until(() -> !one.closedStreams.isEmpty());
      two.notifySubscribers("tools/list_changed", "");
      assertThat(data(stream)).contains("notifications/tools/list_changed");
    }
    one.neverAcknowledges = false;
    try (BufferedReader stream = listen("e", "\"toolsListChanged\":true")) {
      assertThat(data(stream)).contains("acknowledged");
      one.endStreams();
      two.notifySubscribers("tools/list_changed", "");
      assertThat(data(stream)).contains("notifications/tools/list_changed");
      two.endStreams();
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":"l","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}\
              """);
    }
  }

  @Test
  void sessionWithALegacySourceEndsWithTheCall() throws Exception {
    try (McpServer older = new McpServer()) {
      older.capabilities =
          """
          {"tools":{"listChanged":true},"resources":{"subscribe":true}}\
          """;
      node.close();
      node =
          WatchedNode.start(
              folder,
              """
              schema: 1
              sources:
                - {id: older, kind: mcp, url: "%s", prefix: o_}
                - {id: two, kind: mcp, url: "%s", prefix: two_}
              governance: {defaults: {action: forward}}
              """
                  .formatted(older.url(), two.url()));

      try (BufferedReader stream =
          listen(
              "c",
              """
              "toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["o_file:///a"]\
              """)) {
        assertThat(data(stream))
            .contains(
                """
                "notifications":{"toolsListChanged":true,"resourceSubscriptions":["o_file:///a"]}\
                """);
        assertThat(data(stream))
            .contains(
                "notifications/tools/list_changed",
                """
                "io.modelcontextprotocol/subscriptionId":"l"\
                """);
        assertThat(data(stream))
            .isEqualTo(
                """
                {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"o_file:///a","_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}\
                """);
      }
      await().until(() -> older.messages.stream().anyMatch(it -> it.endsWith(" DELETE")));
      assertThat(older.resourceRequests).containsExactly("resources/subscribe file:///a");
    }
  }

  @Test
  void mergedListMarksMissingSourceAndTheJournalNamesIt() throws Exception {
    try (McpServer older = new McpServer()) {
      two.close();
      node.close();
      node =
          WatchedNode.start(
              folder,
              """
              schema: 1
              sources:
                - {id: older, kind: mcp, url: "%s"}
                - {id: two, kind: mcp, url: "%s", prefix: two_}
              governance: {defaults: {action: forward}}
              """
                  .formatted(older.url(), two.url()));

      for (String method : List.of("initialize", "tools/list")) {
        double failuresBefore = failures("two");
        String body =
            """
            {"jsonrpc":"2.0","id":1,"method":"%s","params":{"protocolVersion":"2025-06-18",
            "capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
            """
                .formatted(method);
        var answer = node.post("/mcp", method.replace('/', '.'), body.getBytes(UTF_8), BOTH);

        assertThat(answer.body())
            .contains(
                """
                "_meta":{"gatebook/partial":true}\
                """);
        assertThat(event(method.replace('/', '.'), CallAnswered.class))
            .extracting(CallAnswered::missingSources)
            .containsExactly(List.of("two"));
        assertThat(failures("two")).as(method).isGreaterThan(failuresBefore);
        assertThat(failures("older")).isZero();
      }
      assertThat(node.lines())
          .filteredOn(line -> line.contains("a source could not be asked for its part"))
          .satisfiesExactly(
              line ->
                  assertThat(line).contains(REFUSED).contains("\"correlation_id\":\"initialize\""),
              line ->
                  assertThat(line).contains(REFUSED).contains("\"correlation_id\":\"tools.list\""));
      assertThat(node.get("/metrics").body())
          .contains("gatebook_answers_missing_total{fault=\"UpstreamConnectionFailed\"");
    }
  }

  @Test
  void listeningWithoutSupportingSourcesIsRefused() throws Exception {
    one.refusesListen = true;
    two.refusesListen = true;

    assertThat(post("c", listening("\"toolsListChanged\":true")).body())
        .contains("\"code\":-32601");
  }

  @Test
  void taskRequestsGoOnlyToTheTasksSource() throws Exception {
    String ofTwo = post("c", called("two_task")).body();
    assertThat(ofTwo).contains("\"taskId\":\"two-1\"");

    assertThat(post("d", task("tasks/get", "two-1")).body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":"t","result":{"resultType":"complete","taskId":"two-1","status":"working"}}\
            """);
    post("e", task("tasks/update", "two-1"));
    post("f", task("tasks/cancel", "two-1"));

    assertThat(about(one)).isEmpty();
    assertThat(about(two))
        .containsExactly(
            """
            tasks/get {"taskId":"two-1"}\
            """,
            """
            tasks/update {"taskId":"two-1"}\
            """,
            """
            tasks/cancel {"taskId":"two-1"}\
            """);
  }

  @Test
  void taskWithUnknownCreatorIsNotForwarded() throws Exception {
    assertThat(post("c", task("tasks/get", "two-1")).body()).contains("\"code\":-32004");
    assertThat(
            post(
                    "d",
                    request(
                        "t",
                        "tasks/get",
                        """
                        "taskId":"x","TaskId":"two-1"\
                        """))
                .body())
        .contains("\"code\":-32602");
    assertThat(Stream.concat(about(one).stream(), about(two).stream())).isEmpty();
  }

  @Test
  void taskListenerGetsOnlyItsOwnTasks() throws Exception {
    post("c", called("two_task"));
    try (BufferedReader stream =
        listen(
            "d",
            """
            "taskIds":["two-1","one-1"]\
            """)) {
      assertThat(data(stream))
          .contains(
              """
              "notifications":{"taskIds":["two-1"]}\
              """);
    }
    assertThat(listened(one)).isEmpty();
    assertThat(listened(two))
        .containsExactly(
            """
            {"notifications":{"taskIds":["two-1"]}}\
            """);
  }

  @Test
  void taskOfAnotherCallerIsUnreachableWithOneSourceToo() throws Exception {
    node.close();
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: one, kind: mcp, url: "%s"}]
            governance: {defaults: {action: forward}}
            principals:
              - {name: joe, token_hash: "%s"}
              - {name: ann, token_hash: "%s"}
            """
                .formatted(one.url(), WatchedNode.hash(JOE), WatchedNode.hash(ANN)));

    post("c", called("task"), JOE);

    assertThat(post("d", task("tasks/get", "one-1"), JOE).body()).contains("\"working\"");
    assertThat(post("e", task("tasks/get", "one-1"), ANN).body()).contains("\"code\":-32004");
    assertThat(post("f", task("tasks/cancel", "one-1"), ANN).body()).contains("\"code\":-32004");
    assertThat(about(one))
        .containsExactly(
            """
            tasks/get {"taskId":"one-1"}\
            """);
  }

  private static List<String> about(StatelessServer server) {
    return server.requests.stream().filter(it -> it.startsWith("tasks/")).toList();
  }

  private static String called(String tool) {
    return request(
        "t",
        "tools/call",
        """
        "name":"%s","arguments":{}\
        """
            .formatted(tool));
  }

  private static String task(String method, String id) {
    return request("t", method, "\"taskId\":\"%s\"".formatted(id));
  }

  private static String updated(String uri) {
    return """
    {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"uri":"%s"}}\
    """
        .formatted(uri);
  }

  private static List<String> listened(StatelessServer server) {
    return server.requests.stream()
        .filter(it -> it.startsWith("subscriptions/listen "))
        .map(it -> it.substring("subscriptions/listen ".length()))
        .toList();
  }

  private static String listening(String notifications) {
    return request("l", "subscriptions/listen", "\"notifications\":{%s}".formatted(notifications));
  }

  private static String request(String id, String method, String params) {
    return """
    {"jsonrpc":"2.0","id":"%s","method":"%s","params":{%s%s}}\
    """
        .formatted(id, method, META, params.isEmpty() ? "" : "," + params);
  }

  private BufferedReader listen(String correlationId, String notifications) throws Exception {
    HttpResponse<InputStream> response =
        http.send(posting(correlationId, listening(notifications)), BodyHandlers.ofInputStream());
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  private HttpResponse<String> post(String correlationId, String body, String token)
      throws Exception {
    HttpRequest request = posting(correlationId, body);
    return http.send(
        HttpRequest.newBuilder(request, (_, _) -> true)
            .header("Authorization", "Bearer " + token)
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String correlationId, String body) throws Exception {
    return http.send(posting(correlationId, body), BodyHandlers.ofString());
  }

  private HttpRequest posting(String correlationId, String body) {
    String method =
        body.replaceFirst(
            """
            (?s).*"method":"([^"]*)".*\
            """,
            "$1");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.at(Port.CALLERS).url() + "/mcp"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", method)
            .header("X-Correlation-Id", correlationId);
    String name =
        body.replaceFirst(
            """
            (?s).*"name":"([^"]*)".*\
            """,
            "$1");
    if (!name.equals(body)) {
      request.header("Mcp-Name", name);
    }
    return request.POST(BodyPublishers.ofString(body)).build();
  }

  /** How many attempts at the source got no answer. */
  private double failures(String source) throws IOException {
    String meter =
        """
        gatebook_upstream_seconds_count{outcome="not-connected",source="%s"} \
        """
            .formatted(source);
    return node.get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(meter))
        .mapToDouble(line -> Double.parseDouble(line.substring(meter.length())))
        .sum();
  }

  private <E extends Event> Stream<E> event(String correlationId, Class<E> type) {
    return node.events(correlationId).stream().filter(type::isInstance).map(type::cast);
  }
}
