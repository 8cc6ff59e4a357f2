package gatebook.api.node.error;

import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.RawHttp;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallForwarded;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of upstreams over real sockets: response, events, log line and counters of each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UpstreamFaultsTest {

  private static final String[] FORWARDED = {
    "CallReceived", "CallAdmitted", "CallForwarded", "ErrorTranslated"
  };

  private final List<StubServer> stubs = new ArrayList<>();

  /** Keeps its port from others, and accepts no connection. */
  private final Socket gone = new Socket();

  private String goneUrl = "";
  private String silentUrl = "";
  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    gone.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    goneUrl = "http://127.0.0.1:%d/mcp".formatted(gone.getLocalPort());
    StubServer silent = stub(StubServer.Peer::waitForEnd);
    silentUrl = silent.url("/mcp").toString();
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: gone, kind: mcp, prefix: gone_, url: "%s?key=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}
              - {id: silent, kind: mcp, prefix: silent_, url: "%s", timeout: 1500ms}
              - {id: passing, kind: mcp, prefix: passing_, url: "%s"}
              - {id: wrapping, kind: mcp, prefix: wrapping_, url: "%s", errors: wrap}
              - {id: garbage, kind: mcp, prefix: garbage_, url: "%s"}
              - {id: busy, kind: mcp, prefix: busy_, url: "%s"}
              - {id: down, kind: mcp, prefix: down_, url: "%s"}
              - {id: long, kind: mcp, prefix: long_, url: "%s", errors: wrap}
              - {id: bytes, kind: mcp, prefix: bytes_, url: "%s", errors: wrap}
              - {id: careless, kind: mcp, prefix: careless_, url: "%s"}
              - {id: huge, kind: mcp, prefix: huge_, url: "%s"}
            governance: {defaults: {action: forward}}
            """
                .formatted(
                    goneUrl,
                    silentUrl,
                    failing(
                        """
                        -32042,"message":"no room","data":{"left":0}\
                        """),
                    failing(
                        """
                        -32042,"message":"no room","data":{"left":0}\
                        """),
                    answering(200, "", "what?"),
                    answering(429, "Retry-After: 7\r\n", "{}"),
                    answering(503, "Retry-After: 9\r\n", "{}"),
                    failing("-1,\"message\":\"" + "\u00e9".repeat(800) + "\""),
                    url(stub(UpstreamFaultsTest::notUtf8)),
                    failing(
                        """
                        -5,"message":"login with password=hunter2horse \
                        failed","data":{"tried":"Bearer abcdefghijklmnop0123"}\
                        """),
                    failing(
                        """
                        -7,"message":"no","data":{"a":"%s"}\
                        """
                            .formatted("z".repeat(70 << 10)))));
  }

  @AfterAll
  void stop() throws IOException {
    node().close();
    for (StubServer stubServer : stubs) {
      stubServer.close();
    }
    gone.close();
  }

  @Test
  void unreachableUpstreamIsRetriedTwiceAndNamedWithoutSecrets() throws IOException {
    ProvokedCall provokedCall = node().provoke("gone", toolCall("gone_x"));

    String reason = String.valueOf(provokedCall.seen().lines().getLast().get("reason"));
    provokedCall.expect(
        new UpstreamConnectionFailed("gone", goneUrl, reason, 3),
        "CallReceived",
        "CallAdmitted",
        "CallForwarded",
        "CallForwarded",
        "CallForwarded",
        "ErrorTranslated");
    assertThat(
            provokedCall.seen().events().stream()
                .filter(CallForwarded.class::isInstance)
                .map(event -> ((CallForwarded) event).attempt()))
        .containsExactly(1, 2, 3);
  }

  @Test
  void slowUpstreamIsATimeout() throws IOException {
    node()
        .provoke("silent", toolCall("silent_x"))
        .expect(new UpstreamTimeout("silent", silentUrl, 1_500), FORWARDED);
  }

  @Test
  void upstreamErrorIsPassedOnWhenConfigured() throws IOException {
    node()
        .provoke("passing", toolCall("passing_x"))
        .expect(
            new UpstreamError(
                "passing", -32042, "no room", JsonValue.parse("{\"left\":0}"), 200, true),
            FORWARDED);
  }

  @Test
  void longErrorDataIsTruncated() throws IOException {
    String answer = node().provoke("huge", toolCall("huge_x")).seen().answer().body();
    JsonNode data = new JsonMapper().readTree(answer).at("/error/data");

    assertThat(data.path("correlation_id").asText()).isEqualTo("huge");
    assertThat(data.path("upstream").asText()).startsWith("{\"a\":\"zzz");
  }

  @Test
  void upstreamErrorIsWrappedWhenConfigured() throws IOException {
    node()
        .provoke("wrapping", toolCall("wrapping_x"))
        .expect(
            new UpstreamError("wrapping", -32042, "no room", JsonValue.parse("{\"left\":0}"), 200),
            FORWARDED);
  }

  @Test
  void invalidJsonFromUpstreamIsAnUpstreamError() throws IOException {
    ProvokedCall provokedCall = node().provoke("garbage", toolCall("garbage_x"));

    String reason = String.valueOf(provokedCall.seen().lines().getLast().get("reason"));
    assertThat(reason).startsWith("the answer is not JSON-RPC: ");
    provokedCall.expect(new UpstreamError("garbage", null, reason, null, 200), FORWARDED);
  }

  @Test
  void rateLimitedUpstreamReturnsRetryAfter() throws IOException {
    node()
        .provoke("busy", toolCall("busy_x"))
        .expect(new RateLimited(Limit.UPSTREAM, 7L), FORWARDED);
  }

  @Test
  void unavailableUpstreamReturnsRetryAfter() throws IOException {
    node()
        .provoke("down", toolCall("down_x"))
        .expect(new ServiceUnavailable(Cause.UPSTREAM, 9L), FORWARDED);
  }

  @Test
  @DisplayName("EC-ERR-002")
  void longUpstreamMessageIsCutBetweenCharacters() throws IOException {
    node()
        .provoke("long", toolCall("long_x"))
        .expectAnswer("1", new UpstreamError("long", -1, "\u00e9".repeat(800), null, 200));
  }

  @Test
  @DisplayName("EC-ERR-003")
  void invalidUtf8InUpstreamErrorsIsReplaced() throws IOException {
    node()
        .provoke("bytes", toolCall("bytes_x"))
        .expect(new UpstreamError("bytes", -1, "bad \ufffd\ufffd byte", null, 200), FORWARDED);
  }

  @Test
  @DisplayName("EC-ERR-006")
  void secretsInUpstreamErrorsAreRemovedEverywhere() throws IOException {
    ProvokedCall provokedCall = node().provoke("careless", toolCall("careless_x"));

    provokedCall.expect(
        new UpstreamError(
            "careless",
            -5,
            "login with password=[value] failed",
            JsonValue.parse(
                """
                {"tried":"Bearer [token]"}\
                """),
            200,
            true),
        FORWARDED);
  }

  /** No other source is there, so its error is the answer. */
  @ParameterizedTest
  @CsvSource({"/mcp, tools/list", "/rpc, tools/list", "/mcp, initialize"})
  void errorOfTheOnlySourceIsTheAnswer(String path, String method, @TempDir Path folder)
      throws IOException {
    StubServer refusing =
        stub(peer -> {
          while (true) {
            peer.answer(
                200,
                StubServer.JSON,
                """
                {"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":"no"}}\
                """
                    .formatted(peer.requestOrHandshake().id()));
          }
        });
    try (WatchedNode node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: refusing, kind: mcp, url: "%s"}]
            governance: {defaults: {action: forward}}
            """
                .formatted(url(refusing)))) {
      RawHttp.Answer answer =
          node.post(
              path,
              "refused",
              """
              {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
              """
                  .formatted(method, method.equals("initialize") ? INITIALIZE : "{}")
                  .getBytes(UTF_8));

      assertThat(answer.body())
          .contains("\"code\":-32050", "\"upstream\":{}", "\"correlation_id\":\"refused\"");
      assertThat(node.events("refused").getLast()).isInstanceOf(ErrorTranslated.class);
      assertThat(node.lines()).noneMatch(line -> line.contains("\"stack\""));
    }
  }

  private static final String INITIALIZE =
      """
      {"protocolVersion":"2025-11-25","capabilities":{},\
      "clientInfo":{"name":"t","version":"1"}}\
      """;

  private String failing(String error) {
    return url(
        stub(peer -> {
          String id = peer.request().id();
          peer.answer(
              200,
              StubServer.JSON,
              """
              {"jsonrpc":"2.0","id":%s,"error":{"code":%s}}\
              """
                  .formatted(id, error));
        }));
  }

  private String answering(int status, String headers, String body) {
    return url(
        stub(peer -> {
          peer.request();
          peer.answer(status, StubServer.JSON + headers, body);
        }));
  }

  private static void notUtf8(StubServer.Peer peer) throws IOException {
    String id = peer.request().id();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        """
        {"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"bad \u00ff\u00fe byte"}}\
        """
            .formatted(id)
            .getBytes(StandardCharsets.ISO_8859_1));
    peer.answer(200, StubServer.JSON, body.toByteArray());
  }

  private StubServer stub(StubServer.Script script) {
    StubServer stubServer = new StubServer(script);
    stubs.add(stubServer);
    return stubServer;
  }

  private static String url(StubServer stubServer) {
    return stubServer.url("/mcp").toString();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
