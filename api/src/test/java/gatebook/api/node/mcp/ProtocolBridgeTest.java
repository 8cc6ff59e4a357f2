package gatebook.api.node.mcp;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.Port;
import gatebook.api.mcp.McpServer;
import gatebook.api.mcp.StatelessServer;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallForwarded;
import gatebook.events.CallerReplied;
import gatebook.events.Event;
import gatebook.events.SourceAsked;
import java.io.BufferedReader;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with a session, whose sources are one of the session protocol and one stateless. */
final class ProtocolBridgeTest {

  private static final String ABLE =
      """
      {"elicitation":{},"roots":{"listChanged":true}}\
      """;

  @TempDir private Path folder;
  private McpServer older;
  private StatelessServer newer;
  private WatchedNode node;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws IOException {
    older = new McpServer();
    newer = new StatelessServer("newer");
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: older, kind: mcp, url: "%s"}
              - {id: newer, kind: mcp, url: "%s", prefix: n_}
            governance: {defaults: {action: forward}}
            limits: {input_rounds_max: 2}
            """
                .formatted(older.url(), newer.url()));
  }

  @AfterEach
  void stop() {
    node.close();
    older.close();
    newer.close();
  }

  @Test
  void inputOfTheClientIsSentWithTheSameCall() throws Exception {
    String session = initialized(ABLE);
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("n_ask"))) {
      String first = data(stream);
      String second = data(stream);
      String who = first.contains("elicitation") ? first : second;
      String where = first.contains("elicitation") ? second : first;
      assertThat(who)
          .matches(
              """
              \\{"jsonrpc":"2.0","id":"gatebook-\\d+","method":"elicitation/create","params":\\{"message":"who\\?"}}\
              """);
      assertThat(where)
          .matches(
              """
              \\{"jsonrpc":"2.0","id":"gatebook-\\d+","method":"roots/list"}\
              """);

      reply(session, where, "\"result\":{\"roots\":[]}");
      assertThat(
              reply(
                      session,
                      who,
                      """
                      "result":{"action":"accept"}\
                      """)
                  .statusCode())
          .isEqualTo(202);

      assertThat(data(stream))
          .contains("\"id\":1,\"result\"")
          .contains(
              """
              name=\\"ask\\" arguments={} \
              inputResponses={\\"who\\":{\\"action\\":\\"accept\\"},\\"where\\":{\\"roots\\":[]}} \
              requestState=\\"s1\\"\
              """);
    }
    assertThat(newer.capabilities)
        .endsWith(
            """
            {"elicitation":{},"roots":{}}\
            """);
    assertThat(names("c"))
        .startsWith("CallReceived", "CallAdmitted", "CallForwarded", "SourceAsked", "SourceAsked")
        .endsWith("CallerReplied", "CallerReplied", "CallForwarded", "CallAnswered");
    assertThat(event("c", SourceAsked.class).map(SourceAsked::source)).containsOnly("newer");
    assertThat(event("c", CallerReplied.class)).hasSize(2);
    assertThat(event("c", CallForwarded.class).map(CallForwarded::attempt)).containsExactly(1, 2);
  }

  @Test
  void clientWithoutElicitationCapabilityGetsAnErrorWithTheReason() throws Exception {
    String session = initialized("{\"roots\":{}}");

    assertThat(post("c", session, WatchedNode.toolCall("n_ask")).body())
        .contains(
            "\"code\":-32002",
            "it needs elicitation/create from the client, which did not declare that capability");
    assertThat(post("d", null, WatchedNode.toolCall("n_ask")).body())
        .contains("\"code\":-32002", "elicitation/create");
    assertThat(event("c", SourceAsked.class)).isEmpty();
  }

  @Test
  void clientThatRefusesInputGetsAnError() throws Exception {
    String session = initialized(ABLE);
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("n_ask"))) {
      String error =
          """
          "error":{"code":-1,"message":"no"}\
          """;
      reply(session, data(stream), error);
      reply(session, data(stream), error);

      assertThat(data(stream)).contains("\"code\":-32002", "which refused");
    }
  }

  @Test
  void inputForACancelledCallIsIgnored() throws Exception {
    String session = initialized(ABLE);
    String question;
    try (BufferedReader stream = stream("c", session, WatchedNode.toolCall("n_ask"))) {
      question = data(stream);
      post(
          "n",
          session,
          """
          {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\
          """);
    }
    await().until(() -> names("c").contains("CallAbandoned"));

    reply(session, question, "\"result\":{}");

    assertThat(newer.requests).filteredOn(it -> it.startsWith("tools/call")).hasSize(1);
  }

  @Test
  void sourceThatOnlyWantsARetryIsRetried() throws Exception {
    assertThat(post("c", null, WatchedNode.toolCall("n_again")).body())
        .contains("requestState=\\\"s1\\\"");
    assertThat(event("c", CallForwarded.class).map(CallForwarded::attempt)).containsExactly(1, 2);
  }

  @Test
  void inputRoundsOfOneCallAreLimited() throws Exception {
    assertThat(post("c", initialized(ABLE), WatchedNode.toolCall("n_greedy")).body())
        .contains("\"code\":-32002", "it asked for input 3 times and did not answer");
    assertThat(event("c", CallForwarded.class).map(CallForwarded::attempt))
        .containsExactly(1, 2, 3);
  }

  @Test
  void sessionMessagesGoToAllSourcesAndOthersToOne() throws Exception {
    String session = initialized(ABLE);
    String request =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """;

    post("a", session, request.formatted("logging/setLevel", "{\"level\":\"debug\"}"));
    post(
        "b",
        session,
        request.formatted(
            "completion/complete",
            """
            {"ref":{"type":"ref/prompt","name":"n_p"},"argument":{}}\
            """));
    post("c", session, request.formatted("resources/unsubscribe", "{\"uri\":\"n_file:///a\"}"));
    String ping = post("d", session, request.formatted("ping", "{}")).body();
    post(
        "e",
        session,
        """
        {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\
        """);

    assertThat(ping)
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
    await().until(() -> newer.requests.contains("notifications/roots/list_changed {}"));
    assertThat(newer.requests)
        .endsWith(
            """
            logging/setLevel {"level":"debug"}\
            """,
            """
            completion/complete \
            {"ref":{"type":"ref/prompt","name":"p"},"argument":{}}\
            """,
            """
            resources/unsubscribe {"uri":"file:///a"}\
            """,
            "notifications/roots/list_changed {}");
    await().until(() -> older.messages.contains("t1 notifications/roots/list_changed"));
    assertThat(older.messages)
        .filteredOn(it -> it.startsWith("t"))
        .containsExactly(
            "t1 initialize", "t1 logging/setLevel", "t1 notifications/roots/list_changed");
  }

  private String initialized(String capabilities) throws Exception {
    return post(
            "i",
            null,
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"t","version":"1"}}}\
            """
                .formatted(capabilities))
        .headers()
        .firstValue("Mcp-Session-Id")
        .orElseThrow();
  }

  private HttpResponse<String> reply(String session, String question, String content)
      throws Exception {
    String id = question.replaceFirst(".*\"id\":(\"[^\"]*\").*", "$1");
    return post(
        "r",
        session,
        """
        {"jsonrpc":"2.0","id":%s,%s}\
        """
            .formatted(id, content));
  }

  private HttpResponse<String> post(String correlationId, @Nullable String session, String body)
      throws Exception {
    return http.send(posting(correlationId, session, body), BodyHandlers.ofString());
  }

  private BufferedReader stream(String correlationId, String session, String body)
      throws Exception {
    return new BufferedReader(
        new InputStreamReader(
            http.send(posting(correlationId, session, body), BodyHandlers.ofInputStream()).body(),
            UTF_8));
  }

  private HttpRequest posting(String correlationId, @Nullable String session, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.at(Port.CALLERS).url() + "/mcp"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("X-Correlation-Id", correlationId);
    if (session != null) {
      request.header("Mcp-Session-Id", session);
    }
    return request.POST(BodyPublishers.ofString(body)).build();
  }

  private List<String> names(String correlationId) {
    return node.events(correlationId).stream().map(it -> it.getClass().getSimpleName()).toList();
  }

  private <E extends Event> Stream<E> event(String correlationId, Class<E> type) {
    return node.events(correlationId).stream().filter(type::isInstance).map(type::cast);
  }
}
