package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.rpc.ObjectMembers;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What callers see of a node that stops. */
@Timeout(120)
final class StoppingNodeTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String LONG_MILLIS = "600000";
  private static final String RESULT =
      """
      {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\
      """;

  @TempDir private Path folder;

  private final Semaphore arrived = new Semaphore(0);
  private final CompletableFuture<Void> answering = new CompletableFuture<>();
  private final CompletableFuture<Void> hurry = new CompletableFuture<>();
  private HttpServer source;

  @BeforeEach
  void startSource() throws IOException {
    source = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    source.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    source.createContext("/", this::answerLater);
    source.start();
  }

  @AfterEach
  void stopSource() {
    answering.complete(null);
    source.stop(0);
  }

  private void answerLater(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      if (body.contains("tools/call")) {
        arrived.release();
        answering.join();
      }
      byte[] answer =
          RESULT.replace("1,", ObjectMembers.of(body).json("id").orElse("1") + ",").getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @Test
  void aDrainingNodeIsNotReadyAndAnswersNewCalls() throws Exception {
    try (WatchedNode node = start(LONG_MILLIS, LONG_MILLIS)) {
      CompletableFuture<NodeStop.EndedCalls> stopped = stop(node);
      await().until(() -> node.get("/ready").status() == 503);

      assertThat(node.get("/ready").body()).contains("\"reason\":\"stopping\"");
      RawHttp.Answer answer = keptConnection(node, "echo");
      assertThat(answer.body()).contains("\"result\"");
      assertThat(answer.headers()).contains("connection: close");

      hurry.complete(null);
      assertThat(stopped).succeedsWithin(SOON).isEqualTo(new NodeStop.EndedCalls(1, 0));
      assertThat(node.allLines())
          .anyMatch(line ->
              line.contains("\"stopping: a second signal ends the calls in flight at once\"")
                  && line.contains("\"calls_in_flight\":0"));
    }
  }

  @Test
  void aCallThatEndsWithinTheGracePeriodIsAnswered() throws Exception {
    try (WatchedNode node = start("0", LONG_MILLIS)) {
      CompletableFuture<RawHttp.Answer> call = later(node, "slow");
      arrived.acquire();
      CompletableFuture<NodeStop.EndedCalls> stopped = stop(node);
      await().until(() -> isRefused(node));
      answering.complete(null);

      assertThat(call).succeedsWithin(SOON).extracting(RawHttp.Answer::body).isEqualTo(RESULT);
      assertThat(stopped).succeedsWithin(SOON).isEqualTo(new NodeStop.EndedCalls(1, 0));
    }
  }

  @Test
  void aCallAfterTheGracePeriodGetsARecordedError() throws Exception {
    try (WatchedNode node = start("0", "0")) {
      CompletableFuture<RawHttp.Answer> call = later(node, "slow");
      arrived.acquire();
      CompletableFuture<NodeStop.EndedCalls> stopped = stop(node);

      assertThat(call)
          .succeedsWithin(SOON)
          .extracting(RawHttp.Answer::body)
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"error":{"code":-32013,"message":"Service unavailable",\
              "data":{"correlation_id":"slow","details":"shutting down: forwarded, the answer was \
              not awaited, do not retry"}}}\
              """);
      assertThat(stopped).succeedsWithin(SOON).isEqualTo(new NodeStop.EndedCalls(0, 1));
    }
    assertThat(faults("slow")).containsExactly(new ServiceUnavailable(Cause.STOPPED, null));
  }

  @Test
  void aHeldCallIsToldThatNothingWasForwarded() throws Exception {
    try (WatchedNode node = start("0", LONG_MILLIS)) {
      CompletableFuture<RawHttp.Answer> held =
          node.hold("held", WatchedNode.toolCall("deploy"), NodeCaller.bearer(NodeCaller.JOE));
      CompletableFuture<NodeStop.EndedCalls> stopped = stop(node);

      assertThat(held)
          .succeedsWithin(SOON)
          .extracting(RawHttp.Answer::body)
          .asString()
          .contains("shutting down: nothing was forwarded");
      assertThat(stopped).succeedsWithin(SOON);
    }
    assertThat(arrived.availablePermits()).isZero();
    assertThat(faults("held")).containsExactly(new ServiceUnavailable(Cause.SHUTTING_DOWN, null));
  }

  @Test
  void aSecondSignalEndsTheGracePeriod() throws Exception {
    try (WatchedNode node = start(LONG_MILLIS, LONG_MILLIS)) {
      CompletableFuture<RawHttp.Answer> call = later(node, "slow");
      arrived.acquire();
      CompletableFuture<NodeStop.EndedCalls> stopped = stop(node);
      hurry.complete(null);

      assertThat(call)
          .succeedsWithin(SOON)
          .extracting(RawHttp.Answer::body)
          .asString()
          .contains("the answer was not awaited");
      assertThat(stopped).succeedsWithin(SOON).isEqualTo(new NodeStop.EndedCalls(0, 1));
    }
  }

  private WatchedNode start(String drainMillis, String graceMillis) throws IOException {
    return WatchedNode.start(
        folder,
        """
        schema: 1
        sources:
          - {id: demo, kind: demo}
          - {id: slow, kind: mcp, url: "http://127.0.0.1:%d/", prefix: slow_, timeout: 10m}
        governance:
          defaults: {action: forward}
          rules: [{match: deploy, action: approve, approval: people}]
        approval: {people: {timeout: 10m}}
        limits: {stop_drain_millis: %s, stop_grace_millis_max: %s}
        """
                .formatted(source.getAddress().getPort(), drainMillis, graceMillis)
            + NodeCaller.people());
  }

  private CompletableFuture<NodeStop.EndedCalls> stop(WatchedNode node) {
    return CompletableFuture.supplyAsync(
        () -> node.stop(hurry), task -> Thread.ofVirtual().start(task));
  }

  private static CompletableFuture<RawHttp.Answer> later(WatchedNode node, String correlationId) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return node.joe()
                .raw("/mcp", correlationId, WatchedNode.toolCall("slow_" + correlationId));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** The answer to a client that keeps its connection, and reads until the node closes it. */
  private static RawHttp.Answer keptConnection(WatchedNode node, String tool) throws IOException {
    String body = WatchedNode.toolCall(tool);
    return RawHttp.send(
        node.at(Port.CALLERS),
        "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(
                node.at(Port.CALLERS).port(),
                NodeCaller.bearer(NodeCaller.JOE),
                body.length(),
                body));
  }

  private static boolean isRefused(WatchedNode node) {
    try {
      RawHttp.Answer _ = keptConnection(node, "echo");
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private List<Fault> faults(String correlationId) throws IOException {
    try (WatchedNode next = start("0", "0")) {
      return next.events(correlationId).stream()
          .filter(ErrorTranslated.class::isInstance)
          .map(StoppingNodeTest::fault)
          .toList();
    }
  }

  private static Fault fault(Event event) {
    return ((ErrorTranslated) event).fault();
  }
}
