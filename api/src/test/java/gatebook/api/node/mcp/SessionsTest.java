package gatebook.api.node.mcp;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallAbandoned;
import gatebook.events.CallerReplied;
import gatebook.events.Event;
import gatebook.events.SourceAsked;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MCP sessions over HTTP, with a source that has sessions too. */
final class SessionsTest {

  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";
  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}\
      """;
  private static final String EVENTS = "application/json, text/event-stream";

  @TempDir private Path folder;
  private McpServer source;
  private WatchedNode node;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws IOException {
    source = new McpServer();
    node = started("");
  }

  private WatchedNode started(String limits) throws IOException {
    return started(limits, "");
  }

  private WatchedNode started(String limits, String prefix) throws IOException {
    return WatchedNode.start(
        folder,
        """
        schema: 1
        sources: [{id: talkative, kind: mcp, url: "%s", prefix: "%s"}]
        governance: {defaults: {action: forward}}
        principals:
          - {name: joe, token_hash: "%s"}
          - {name: ann, token_hash: "%s"}
        %s
        """
            .formatted(source.url(), prefix, WatchedNode.hash(JOE), WatchedNode.hash(ANN), limits));
  }

  @AfterEach
  void stop() {
    node.close();
    source.close();
  }

  @Test
  void initializeReturnsTheSourcesResultAndASession() throws Exception {
    HttpResponse<String> answer = post("c", null, INITIALIZE);

    assertThat(answer.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"talkative","version":"7"}}}\
            """);
    String session = answer.headers().firstValue("Mcp-Session-Id").orElseThrow();
    assertThat(session).matches("[0-9a-f]{32}").isNotEqualTo("t1");

    post("d", session, WatchedNode.toolCall("anything"));
    post("e", initialized(), WatchedNode.toolCall("anything"));
    assertThat(source.messages)
        .filteredOn(it -> it.startsWith("t"))
        .containsExactly("t1 initialize", "t1 tools/call", "t2 initialize", "t2 tools/call");
  }

  @Test
  void sourceRequestAndItsResponseAreRecordedBeforeForwarding() throws Exception {
    String session = initialized();
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("ask"))) {
      String question = data(stream);
      assertThat(question)
          .matches(
              """
              \\{"jsonrpc":"2.0","id":"gatebook-\\d+","method":"elicitation/create","params":\\{"message":"which\\?"}}\
              """);
      assertThat(names("c")).endsWith("CallForwarded", "SourceAsked");
      String name = question.replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1");

      HttpResponse<String> taken =
          post(
              "r",
              session,
              """
              {"jsonrpc":"2.0","id":"%s","result":{"action":"accept"}}\
              """
                  .formatted(name));

      assertThat(taken.statusCode()).isEqualTo(202);
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"action\\":\\"accept\\"}"}]}}\
              """);
    }
    assertThat(names("c"))
        .endsWith("CallForwarded", "SourceAsked", "CallerReplied", "CallAnswered");
    assertThat(event("c", SourceAsked.class).source()).isEqualTo("talkative");
    assertThat(event("c", CallerReplied.class).outcome()).isEqualTo(CallerReplied.Outcome.RESULT);
  }

  @Test
  void responseWithoutAnOpenRequestIsRefused() throws Exception {
    String session = initialized();

    HttpResponse<String> refused =
        post(
            "c",
            session,
            """
            {"jsonrpc":"2.0","id":"gatebook-99","result":{}}\
            """);

    assertThat(refused.body())
        .contains("\"code\":-32600", "\"id\":\"gatebook-99\"", "\"correlation_id\":\"c\"");
    assertThat(source.messages).doesNotContain("t1 reply");
  }

  @Test
  void sourceMessagesAreStreamedBeforeTheResponse() throws Exception {
    String session = initialized();
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("tell"))) {
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\
              """);
      assertThat(data(stream)).contains("\"id\":1", "\"told\"");
    }

    RawHttp.Answer whole =
        node.send(
            Port.CALLERS,
            "/mcp",
            WatchedNode.toolCall("tell").getBytes(UTF_8),
            "Content-Type: application/json",
            "Accept: application/json",
            "Authorization: Bearer " + JOE,
            "Mcp-Session-Id: " + session);
    assertThat(whole.headers()).contains("content-type: application/json");
    assertThat(whole.body()).contains("\"told\"");
  }

  @Test
  void sessionOfAnotherClientLooksLikeAnUnknownOne() throws Exception {
    String session = initialized();

    HttpResponse<String> foreign =
        http.send(
            request(ANN, "c", session)
                .POST(BodyPublishers.ofString(WatchedNode.toolCall("x")))
                .build(),
            BodyHandlers.ofString());
    HttpResponse<String> none = post("c", "0".repeat(32), WatchedNode.toolCall("x"));

    assertThat(foreign.statusCode()).isEqualTo(404);
    assertThat(foreign.body())
        .isEqualTo(none.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid \
            Request","data":{"correlation_id":"c","details":"initialize again: \
            the session has ended","reason":"unknown-session"}}}\
            """);
    assertThat(names("c")).containsExactly("MessageRefused", "MessageRefused");
    assertThat(source.messages).doesNotContain("t1 tools/call");
  }

  @Test
  void deletedSessionIsClosedAtTheSourcesToo() throws Exception {
    String session = initialized();

    HttpResponse<String> ended =
        http.send(request(JOE, "c", session).DELETE().build(), BodyHandlers.ofString());

    assertThat(ended.statusCode()).isEqualTo(200);
    await().until(() -> source.messages.contains("t1 DELETE"));
    assertThat(post("d", session, WatchedNode.toolCall("x")).statusCode()).isEqualTo(404);
    assertThat(
            http.send(request(JOE, "e", session).GET().build(), BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void getNeedsASessionAndEveryMethodAToken() throws Exception {
    HttpResponse<String> get =
        http.send(request(JOE, "c", null).GET().build(), BodyHandlers.ofString());
    HttpResponse<String> stranger =
        http.send(
            request("somebody-else-0123456789", "c", initialized()).DELETE().build(),
            BodyHandlers.ofString());

    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).isEqualTo(Optional.of("POST"));
    assertThat(stranger.statusCode()).isEqualTo(401);
  }

  @Test
  void messageWithoutACallGoesToTheOpenStream() throws Exception {
    String session = initialized();
    try (BufferedReader stream =
        lines(http.send(request(JOE, "c", session).GET().build(), BodyHandlers.ofInputStream()))) {
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"of":"t1"}}\
              """);
    }
  }

  /** Some clients keep resuming the stream of a call that ended in an error. */
  @Test
  void resumingTheStreamOfAnEndedCallIsRefused() throws Exception {
    String session = initialized();
    String last =
        post("t", session, WatchedNode.toolCall("tell"))
            .body()
            .lines()
            .filter(line -> line.startsWith("id: "))
            .toList()
            .getLast()
            .substring(4);

    for (String place : List.of(last, "c99-7")) {
      HttpResponse<String> answer =
          http.send(
              request(JOE, "c", session).header("Last-Event-ID", place).GET().build(),
              BodyHandlers.ofString());

      assertThat(answer.statusCode()).as(place).isEqualTo(204);
      assertThat(answer.body()).isEmpty();
    }
  }

  /** Keep-alives of such a stream have no text. */
  @Test
  void streamStartsBeforeItsFirstEvent() throws Exception {
    String session = initialized();
    try (BufferedReader first =
        lines(http.send(request(JOE, "c", session).GET().build(), BodyHandlers.ofInputStream()))) {
      assertThat(data(first)).contains("list_changed");

      HttpRequest again = request(JOE, "d", session).timeout(Duration.ofMinutes(2)).GET().build();
      try (BufferedReader second = lines(http.send(again, BodyHandlers.ofInputStream()))) {
        assertThat(second.readLine()).isEqualTo(": open");
      }
    }
  }

  @Test
  void resourceNamesArePrefixedEverywhere() throws Exception {
    node.close();
    node = started("", "p_");
    String session = initialized();
    String named =
        """
        {"jsonrpc":"2.0","id":1,"method":"resources/%s","params":{"uri":"p_file:///a"}}\
        """;

    post("s", session, named.formatted("subscribe"));
    try (BufferedReader stream =
        lines(http.send(request(JOE, "c", session).GET().build(), BodyHandlers.ofInputStream()))) {
      assertThat(data(stream)).contains("list_changed");
      assertThat(data(stream))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"p_file:///a"}}\
              """);
    }
    post("u", session, named.formatted("unsubscribe"));

    assertThat(source.resourceRequests)
        .containsExactly("resources/subscribe file:///a", "resources/unsubscribe file:///a");
  }

  @Test
  void cancelledCallIsAbandonedAndCancelledAtItsSource() throws Exception {
    String session = initialized();
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("tell"))) {
      assertThat(data(stream)).isNotEmpty();
    }
    var waiting =
        http.sendAsync(
            request(JOE, "w", session)
                .POST(BodyPublishers.ofString(WatchedNode.toolCall("wait")))
                .build(),
            BodyHandlers.ofString());
    await().until(() -> source.messages.stream().filter("t1 tools/call"::equals).count() == 2);

    post(
        "n",
        session,
        """
        {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\
        """);

    await().until(() -> names("w").contains("CallAbandoned"));
    assertThat(event("w", CallAbandoned.class).cause()).isEqualTo(CallAbandoned.Cause.CANCELLED);
    assertThat(event("w", CallAbandoned.class).forwarded()).isTrue();
    await().until(() -> !source.cancelledCalls.isEmpty());
    assertThat(waiting.join().body()).isEmpty();
    assertThat(post("a", session, WatchedNode.toolCall("x")).body()).contains("\"text\":\"x\"");
    assertThat(source.cancelledCalls)
        .containsExactly("t1 wait nobody waits for the answer any longer");
    assertThat(source.messages).containsOnlyOnce("t1 notifications/cancelled");
  }

  @Test
  void callOfADeletedSessionIsCancelledFirst() throws Exception {
    String session = initialized();
    var waiting =
        http.sendAsync(
            request(JOE, "w", session)
                .POST(BodyPublishers.ofString(WatchedNode.toolCall("wait")))
                .build(),
            BodyHandlers.ofString());
    await().until(() -> source.messages.contains("t1 tools/call"));

    http.send(request(JOE, "c", session).DELETE().build(), BodyHandlers.ofString());

    await().until(() -> source.messages.contains("t1 DELETE"));
    assertThat(source.messages)
        .containsSubsequence("t1 tools/call", "t1 notifications/cancelled", "t1 DELETE");
    await().until(() -> names("w").contains("CallAbandoned"));
    assertThat(event("w", CallAbandoned.class).cause()).isEqualTo(CallAbandoned.Cause.CANCELLED);
    assertThat(waiting.join().body()).isEmpty();
  }

  @Test
  void clientsBeyondTheSessionLimitAreServedWithoutSession() throws Exception {
    node.close();
    node = started("limits: {sessions_max: 1}");
    String first = initialized();

    HttpResponse<String> second = post("c", null, INITIALIZE);

    assertThat(first).isNotEmpty();
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.headers().firstValue("Mcp-Session-Id")).isEmpty();
    assertThat(post("d", null, WatchedNode.toolCall("x")).body()).contains("\"text\":\"x\"");
  }

  @Test
  void refusedInitializeLeavesNoSession() throws Exception {
    node.close();
    node = started("limits: {sessions_max: 1}");
    for (int i = 0; i < 100; i++) {
      assertThat(post("c", null, INITIALIZE.replace("{\"elicitation\":{}}", "5")).body())
          .contains("-32602");
    }

    assertThat(initialized()).isNotEmpty();
  }

  @Test
  void departedClientLeavesNoSessionAtTheSource() throws Exception {
    source.initializing = new CountDownLatch(1);
    CompletableFuture<?> left =
        http.sendAsync(
            request(JOE, "c", null).POST(BodyPublishers.ofString(INITIALIZE)).build(),
            BodyHandlers.ofString());
    await().until(() -> source.messages.contains("t1 initialize"));
    left.cancel(true);
    await().until(() -> names("c").contains("CallAbandoned"));

    source.initializing.countDown();

    await().until(() -> source.messages.contains("t1 DELETE"));
  }

  @Test
  void idleSessionEndsAndOneWithAStreamDoesNot() throws Exception {
    node.close();
    node = started("limits: {session_idle_millis_max: 3000}");
    String idle = initialized();
    String listened = initialized();
    try (BufferedReader stream =
        lines(http.send(request(JOE, "c", listened).GET().build(), BodyHandlers.ofInputStream()))) {
      await().until(() -> source.messages.contains("t1 DELETE"));

      assertThat(post("d", idle, WatchedNode.toolCall("x")).statusCode()).isEqualTo(404);
      assertThat(post("e", listened, WatchedNode.toolCall("x")).statusCode()).isEqualTo(200);
      assertThat(data(stream)).contains("list_changed");
    }
  }

  private String initialized() throws Exception {
    return post("i", null, INITIALIZE).headers().firstValue("Mcp-Session-Id").orElseThrow();
  }

  private HttpResponse<String> post(String correlationId, @Nullable String session, String body)
      throws Exception {
    return http.send(
        request(JOE, correlationId, session).POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private BufferedReader stream(String correlationId, String session, String body)
      throws Exception {
    return lines(
        http.send(
            request(JOE, correlationId, session).POST(BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofInputStream()));
  }

  private static BufferedReader lines(HttpResponse<InputStream> response) {
    assertThat(response.headers().firstValue("Content-Type"))
        .isEqualTo(Optional.of("text/event-stream"));
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  private HttpRequest.Builder request(
      String token, String correlationId, @Nullable String session) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.at(Port.CALLERS).url() + "/mcp"))
            .header("Content-Type", "application/json")
            .header("Accept", EVENTS)
            .header("Authorization", "Bearer " + token)
            .header("X-Correlation-Id", correlationId);
    return session == null ? request : request.header("Mcp-Session-Id", session);
  }

  private List<String> names(String correlationId) {
    return node.events(correlationId).stream().map(it -> it.getClass().getSimpleName()).toList();
  }

  private <E extends Event> E event(String correlationId, Class<E> type) {
    return node.events(correlationId).stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }
}
