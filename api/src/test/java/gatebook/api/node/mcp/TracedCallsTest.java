package gatebook.api.node.mcp;

import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallReceived;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The trace of a call, and its other headers, from the caller's request to the source's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TracedCallsTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String CONTENT_TYPE = "Content-Type: application/json";

  private final BlockingQueue<StubServer.Request> requests = new LinkedBlockingQueue<>();
  private @Nullable StubServer source;
  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    StubServer stubServer =
        StubServer.each(peer -> {
          StubServer.Request request = peer.request();
          if (request.body().contains("tools/call")) { // a node also requests a source's tools
            requests.add(request);
          }
          peer.answer(
              200,
              StubServer.JSON,
              """
              {"jsonrpc":"2.0","id":%s,"result":{}}\
              """
                  .formatted(request.id()));
        });
    source = stubServer;
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: tools, kind: mcp, url: "%s"}]
            governance: {defaults: {action: forward}}
            operators: [{name: alice, token_hash: "%s", roles: [view]}]
            """
                .formatted(stubServer.url("/mcp"), WatchedNode.hash(NodeCaller.ALICE)));
  }

  @AfterAll
  void stop() throws IOException {
    node().close();
    Objects.requireNonNull(source).close();
  }

  @Test
  void traceIsForwardedAndFindsTheCall() throws Exception {
    assertThat(
            traceOf(
                "found",
                toolCall("read"),
                "Traceparent: " + PARENT,
                "tracestate: a=1,b=2",
                "TraceState: c=3"))
        .containsExactlyInAnyOrder("traceparent: " + PARENT, "tracestate: a=1,b=2,c=3");
    assertThat(received("found").traceId()).isEqualTo(TRACE);
    assertThat(
            lookup(TRACE.toUpperCase(Locale.ROOT))
                .path("result")
                .path("calls")
                .findValuesAsText("correlationId"))
        .contains("found");
  }

  @Test
  void traceOfTheMessageIsSentInMessageAndHeader() throws Exception {
    String meta =
        """
        {"traceparent":"%s","tracestate":"a=1"}\
        """
            .formatted(PARENT);
    String body = toolCall("read").replace("\"arguments\"", "\"_meta\":" + meta + ",\"arguments\"");

    StubServer.Request request = requestOf("in-the-message", body);

    assertThat(trace(request))
        .containsExactlyInAnyOrder("traceparent: " + PARENT, "tracestate: a=1");
    assertThat(request.body()).contains("\"_meta\":" + meta);
    assertThat(received("in-the-message").traceId()).isEqualTo(TRACE);
  }

  @Test
  void invalidTraceIsNotForwarded() throws Exception {
    assertThat(
            traceOf(
                "upper-case",
                toolCall("read"),
                "traceparent: " + PARENT.toUpperCase(Locale.ROOT),
                "tracestate: a=1"))
        .isEmpty();
    assertThat(received("upper-case").traceId()).isNull();
  }

  @Test
  void severalTraceHeadersAreIgnored() throws Exception {
    assertThat(
            traceOf(
                "twice",
                toolCall("read"),
                "traceparent: " + PARENT,
                "traceparent: " + PARENT,
                "tracestate: a=1"))
        .isEmpty();
    assertThat(received("twice").traceId()).isNull();
  }

  @Test
  void callWithoutTraceIsForwardedWithoutOne() throws Exception {
    assertThat(traceOf("untraced", toolCall("read"), "tracestate: a=1")).isEmpty();
  }

  @Test
  void headersOfParamsAreForwardedAndNoOthers() throws Exception {
    StubServer.Request request =
        requestOf(
            "params",
            toolCall("read"),
            "Mcp-Param-Region: eu",
            "MCP-PARAM-REGION: us",
            "Baggage: a=1",
            "Cookie: a=1");

    assertThat(request.header("mcp-param-region")).isEqualTo("eu,us");
    assertThat(request.head().toLowerCase(Locale.ROOT)).doesNotContain("baggage", "cookie");
  }

  private List<String> traceOf(String correlationId, String body, String... headers)
      throws Exception {
    return trace(requestOf(correlationId, body, headers));
  }

  private StubServer.Request requestOf(String correlationId, String body, String... headers)
      throws Exception {
    assertThat(node().post("/mcp", correlationId, body.getBytes(UTF_8), headers).body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
    return requests.take();
  }

  private static List<String> trace(StubServer.Request request) {
    return request.head().lines().filter(line -> line.startsWith("trace")).toList();
  }

  private CallReceived received(String correlationId) {
    return (CallReceived) node().events(correlationId).getFirst();
  }

  private JsonNode lookup(String id) throws IOException {
    String question =
        """
        {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"%s"}}\
        """
            .formatted(id);
    String alice = "Authorization: Bearer " + NodeCaller.ALICE;
    return new JsonMapper()
        .readTree(
            node()
                .send(Port.ADMIN, "/operator", question.getBytes(UTF_8), CONTENT_TYPE, alice)
                .body());
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
