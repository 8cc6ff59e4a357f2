package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.StubServer.EVENTS;
import static gatebook.api.upstream.source.StubServer.JSON;
import static gatebook.api.upstream.source.TestSources.PATIENT_MILLIS;
import static gatebook.api.upstream.source.TestSources.jsonrpc;
import static gatebook.api.upstream.source.TestSources.limited;
import static gatebook.api.upstream.source.TestSources.mcp;
import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static gatebook.api.upstream.source.UpstreamFixture.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancelling a call over HTTP: which sources are notified, and of what. */
@Order(1)
@Timeout(300)
final class HttpCancellationTest {

  private static final String REASON = "nobody waits for the answer any longer";

  /** Short enough to wait for, and long enough for several requests on a busy machine. */
  private static final int SHORT_MILLIS = 4_000;

  /** Every request waits for the one before, so that one that is answered was the last. */
  private static final ConnectionLimits ONE_CONNECTION =
      new ConnectionLimits(1, 1_024, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);

  private static final Call LIST = call("tools/list", "{}");

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();
  private final List<StubServer.Request> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final StubServer stubServer = StubServer.each(this::serve);

  private volatile String revision = "2025-11-25";
  private volatile String capabilities = "{}";
  private volatile boolean initializeHangs;
  private volatile StubServer.Script toolAnswer = StubServer.Peer::waitForEnd;
  private volatile StubServer.Script notificationAnswer = peer -> peer.answer(202, "", "");

  @AfterEach
  void close() throws IOException {
    upstreamFixture.close();
    stubServer.close();
  }

  private void serve(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.requestOrHandshake();
    received.add(request);
    switch (method(request)) {
      case "initialize" -> initialize(peer, request);
      case "server/discover" -> discover(peer, request);
      case "DELETE" -> peer.answer(200, "", "");
      case "tools/call", "slow" -> toolAnswer.run(peer);
      case "notifications/cancelled" -> notificationAnswer.run(peer);
      case "notifications/initialized" -> peer.answer(202, "", "");
      default -> result(peer, request, "{\"tools\":[]}");
    }
  }

  private void discover(StubServer.Peer peer, StubServer.Request request) throws IOException {
    if (revision.equals("2026-07-28")) {
      result(
          peer,
          request,
          """
          {"supportedVersions":["2026-07-28"],"capabilities":{}}\
          """);
    } else {
      peer.answer(400, "", "");
    }
  }

  private void initialize(StubServer.Peer peer, StubServer.Request request) throws IOException {
    if (initializeHangs) {
      awaitReleased();
    }
    if (revision.equals("2026-07-28")) {
      peer.answer(
          200,
          JSON,
          """
          {"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\
          """
              .formatted(request.id()));
      return;
    }
    peer.answer(
        200,
        JSON + "Mcp-Session-Id: s-1\r\n",
        """
        {"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"%s","capabilities":%s}}\
        """
            .formatted(request.id(), revision, capabilities));
  }

  private static void result(StubServer.Peer peer, StubServer.Request request, String result)
      throws IOException {
    peer.answer(
        200,
        JSON,
        """
        {"jsonrpc":"2.0","id":%s,"result":%s}\
        """
            .formatted(request.id(), result));
  }

  private void awaitReleased() throws IOException {
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
  void aSourceWithSessionsSeesOneNotificationWithIdAndSession(String version) {
    revision = version;
    Source source =
        TestSources.source(
            stubServer.url("/mcp?key=1"),
            Source.Kind.MCP,
            "up_",
            Map.of("Authorization", "Bearer ours"),
            PATIENT_MILLIS,
            PATIENT_MILLIS);
    Upstream upstream = upstreamFixture.upstream(source, ONE_CONNECTION);
    Call traced =
        new Call(
            "\"callers\"",
            "tools/call",
            "{\"name\":\"up_echo\"}",
            false,
            Map.of("traceparent", "00-1-2-01", "Cookie", "a=b"));
    CompletableFuture<Response> call = upstream.call(traced, MessageListener.NONE);
    await().until(() -> methods().contains("tools/call"));

    call.cancel(false);
    call.cancel(false);

    expectAnswered(upstream);
    assertThat(methods())
        .containsExactly(
            "server/discover",
            "initialize",
            "notifications/initialized",
            "tools/call",
            "notifications/cancelled",
            "tools/list");
    StubServer.Request request = received.get(3);
    StubServer.Request notification = received.get(4);
    assertThat(notification.body()).isEqualTo(cancelled(request.id()));
    assertThat(notification.head().lines().filter(line -> !line.isEmpty()))
        .containsExactlyInAnyOrder(
            "POST /mcp?key=1 HTTP/1.1",
            "traceparent: 00-1-2-01",
            "MCP-Protocol-Version: " + version,
            "Mcp-Session-Id: s-1",
            "Mcp-Method: notifications/cancelled",
            "Authorization: Bearer ours",
            "content-type: application/json",
            "accept: application/json, text/event-stream",
            "host: 127.0.0.1:" + stubServer.url("").getPort(),
            "accept-encoding: identity",
            "content-length: " + notification.body().length());
  }

  @Test
  void aStatelessSourceSeesOnlyTheClosedConnection() {
    revision = "2026-07-28";
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);

    cancelWhenReceived(upstream, CALL);

    expectAnswered(upstream);
    assertThat(methods()).containsExactly("server/discover", "tools/call", "tools/list");
    assertThat(
            ObjectMembers.of(received.getFirst().body())
                .members("params")
                .members("_meta")
                .members("io.modelcontextprotocol/clientInfo")
                .text("name"))
        .contains("gatebook");
  }

  @Test
  void aJsonRpcSourceSeesOnlyTheClosedConnection() {
    Upstream upstream = upstreamFixture.upstream(jsonrpc(url()), ONE_CONNECTION);

    cancelWhenReceived(upstream, call("slow", "{}"));

    expectAnswered(upstream);
    assertThat(methods()).containsExactly("slow", "tools/list");
  }

  @Test
  void theClientsOwnCancellationIsNotForwardedToo() {
    Session session = session();
    Call named = new Call("\"c-7\"", "tools/call", "{\"name\":\"echo\"}", false, Map.of());
    Call clients =
        new Call(
            null, "notifications/cancelled", "{\"requestId\":\"c-7\"}", true, Map.of("a", "b"));

    cancelWhenReceived(session, named);
    assertThat(session.call(clients, MessageListener.NONE).join()).isEqualTo(new Ended.Accepted());

    expectAnswered(session);
    await().until(() -> !cancellations().isEmpty());
    assertThat(methods())
        .containsExactlyInAnyOrder(
            "initialize", "tools/call", "notifications/cancelled", "tools/list");
    StubServer.Request cancellation =
        received.stream()
            .filter(request -> method(request).equals("notifications/cancelled"))
            .findFirst()
            .orElseThrow();
    assertThat(cancellation.body()).isEqualTo(cancelled("\"c-7\""));
    assertThat(cancellation.header("mcp-session-id")).isEqualTo("s-1");
  }

  @Test
  void aStatelessSourceGetsNoCancellationOfAClient() {
    revision = "2026-07-28";
    Session session = session();
    Call clients = new Call(null, "notifications/cancelled", "{\"requestId\":1}", true, Map.of());

    cancelWhenReceived(session, CALL);
    assertThat(session.call(clients, MessageListener.NONE).join()).isEqualTo(new Ended.Accepted());

    expectAnswered(session);
    assertThat(methods()).doesNotContain("notifications/cancelled");
  }

  @Test
  void aRequestThatWasNeverWrittenIsNotCancelled() {
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);
    CompletableFuture<Response> first = upstream.call(CALL, MessageListener.NONE);
    await().until(() -> methods().contains("tools/call"));

    upstream.call(CALL, MessageListener.NONE).cancel(false);
    first.cancel(false);

    expectAnswered(upstream);
    assertThat(received).filteredOn(it -> method(it).equals("tools/call")).hasSize(1);
    assertThat(cancellations()).containsExactly(cancelled("1"));
  }

  @Test
  void initializeIsNeverCancelled() {
    initializeHangs = true;
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);

    CompletableFuture<Response> call = upstream.call(CALL, MessageListener.NONE);
    await().until(() -> methods().contains("initialize"));
    call.cancel(false);
    released.countDown();

    expectAnswered(upstream);
    assertThat(methods())
        .containsExactly(
            "server/discover", "initialize", "notifications/initialized", "tools/list");
  }

  @Test
  void anAnsweredCallIsNotCancelled() {
    toolAnswer = peer -> result(peer, last("tools/call"), "{}");
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);
    CompletableFuture<Response> call = upstream.call(CALL, MessageListener.NONE);

    assertThat(call.join()).isEqualTo(new Ended.Result("{}", false));
    call.cancel(false);

    expectAnswered(upstream);
    assertThat(cancellations()).isEmpty();
  }

  /** What the protocol demands of a call for which the source makes a task. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        """
        {"tasks":{}} | {"name":"echo","task":{}} | 0\
        """,
        """
        {"tasks":{}} | {"name":"echo"} | 1\
        """,
        """
        {} | {"name":"echo","task":{}} | 1\
        """
      })
  void aTaskOfTheSourceIsNotCancelledLikeARequest(String declared, String params, int times) {
    capabilities = declared;
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);

    cancelWhenReceived(upstream, call("tools/call", params));

    expectAnswered(upstream);
    assertThat(cancellations()).hasSize(times);
  }

  @Test
  void aCallWhoseStreamWaitsToBeResumedIsCancelled() {
    toolAnswer =
        peer ->
            peer.send(
                """
                HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n\
                1a\r\nid: 7\nretry: 30000\ndata:\n\n\r\n0\r\n\r\n\
                """
                    .formatted(EVENTS));
    CountDownLatch paused = new CountDownLatch(1);
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);
    CompletableFuture<Response> call =
        upstream.call(
            CALL,
            new MessageListener() {
              @Override
              public CompletableFuture<Boolean> onMessage(byte[] message) {
                return CompletableFuture.completedFuture(false);
              }

              @Override
              public void onPause(long retryMillis) {
                paused.countDown();
              }
            });
    await().until(() -> paused.getCount() == 0);

    call.cancel(false);

    expectAnswered(upstream);
    assertThat(cancellations()).containsExactly(cancelled("1"));
  }

  @ParameterizedTest
  @CsvSource({"2025-11-25, 1", "2026-07-28, 0"})
  void aCallThatTimesOutIsCancelledToo(String version, int times) {
    revision = version;
    Upstream upstream =
        upstreamFixture.upstream(limited(url(), PATIENT_MILLIS, SHORT_MILLIS), ONE_CONNECTION);
    expectAnswered(upstream); // the session is open

    assertThat(upstream.call(CALL, MessageListener.NONE).join())
        .isInstanceOfSatisfying(
            Ended.Failure.class,
            failure -> assertThat(failure.fault()).isInstanceOf(UpstreamTimeout.class));

    await().until(() -> cancellations().size() >= times);
    expectAnswered(upstream);
    assertThat(cancellations()).hasSize(times);
  }

  @Test
  void aNotificationThatFailsIsCountedAndIgnored() {
    notificationAnswer = peer -> peer.answer(500, "", "");
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);

    cancelWhenReceived(upstream, CALL);

    expectAnswered(upstream);
    await().until(() -> count("no-answer") == 1);
    assertThat(count("cancelled")).isEqualTo(1);
    assertThat(count("accepted")).isZero();
  }

  @Test
  void aNotificationMayTakeAsLongAsAConnect() {
    notificationAnswer = StubServer.Peer::waitForEnd;
    Upstream upstream = upstreamFixture.upstream(limited(url(), SHORT_MILLIS, PATIENT_MILLIS));

    cancelWhenReceived(upstream, CALL);

    await().until(() -> count("timeout") == 1);
    await().until(() -> upstreamFixture.connections() == 0);
  }

  @Test
  void aNotificationThatIsAnsweredInTimeIsNoFailure() {
    notificationAnswer =
        peer -> {
          awaitReleased();
          peer.answer(202, "", "");
        };
    Upstream upstream = upstreamFixture.upstream(mcp(url()), ONE_CONNECTION);
    cancelWhenReceived(upstream, CALL);
    await().until(() -> cancellations().size() == 1);

    released.countDown();

    expectAnswered(upstream);
    assertThat(count("timeout") + count("no-answer") + count("unavailable")).isZero();
  }

  @Test
  void aSessionThatEndsCancelsItsCallsAndResumesNothing() {
    toolAnswer =
        peer ->
            peer.send(
                """
                HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n\
                17\r\nid: 7\nretry: 50\ndata:\n\n\r\n0\r\n\r\n\
                """
                    .formatted(EVENTS));
    Session session = session();
    CompletableFuture<Void> paused = new CompletableFuture<>();
    CompletableFuture<Response> call =
        session.call(
            CALL,
            new MessageListener() {
              @Override
              public CompletableFuture<Boolean> onMessage(byte[] message) {
                return CompletableFuture.completedFuture(false);
              }

              @Override
              public void onPause(long retryMillis) {
                paused.complete(null);
              }
            });
    paused.thenRun(session::close).thenRun(session::close).join();

    await().until(() -> methods().contains("DELETE"));
    await().until(call::isCancelled);
    assertThat(session.isOpen()).isFalse();
    assertThat(methods())
        .containsExactly("initialize", "tools/call", "notifications/cancelled", "DELETE");
  }

  @RepeatedTest(10)
  void sessionIsDeletedAtItsSourceAfterAllCancellations() {
    toolAnswer = _ -> {};
    Session session = session(ConnectionLimits.DEFAULT);
    CompletableFuture<Response> call = session.call(CALL, MessageListener.NONE);
    await().until(() -> methods().contains("tools/call"));

    CompletableFuture<Void> closed = CompletableFuture.runAsync(session::close);
    call.cancel(false);

    closed.join();
    await().until(() -> methods().contains("DELETE"));
    assertThat(methods())
        .containsExactly("initialize", "tools/call", "notifications/cancelled", "DELETE");
  }

  @Test
  void callAfterTheEndOfItsSessionIsCancelled() {
    Session session = session();
    session.close();

    assertThat(session.call(CALL, MessageListener.NONE)).isCancelled();
  }

  private URI url() {
    return stubServer.url("/mcp");
  }

  private Session session() {
    return session(ONE_CONNECTION);
  }

  private Session session(ConnectionLimits connectionLimits) {
    Opening opening =
        upstreamFixture
            .upstream(mcp(url()), connectionLimits)
            .open(new InitializeRequest("{}", Map.of()))
            .join();
    return ((Opening.Opened) opening).session();
  }

  private void cancelWhenReceived(Upstream upstream, Call call) {
    CompletableFuture<Response> response = upstream.call(call, MessageListener.NONE);
    await().until(() -> methods().contains(call.method()));
    response.cancel(false);
  }

  private static void expectAnswered(Upstream upstream) {
    assertThat(upstream.call(LIST, MessageListener.NONE).join()).isInstanceOf(Ended.Result.class);
  }

  private List<String> methods() {
    return received.stream().map(HttpCancellationTest::method).toList();
  }

  private List<String> cancellations() {
    return received.stream()
        .filter(request -> method(request).equals("notifications/cancelled"))
        .map(StubServer.Request::body)
        .toList();
  }

  private StubServer.Request last(String method) {
    return received.stream()
        .filter(request -> method(request).equals(method))
        .reduce((_, later) -> later)
        .orElseThrow();
  }

  private static String method(StubServer.Request request) {
    return ObjectMembers.of(request.body())
        .text("method")
        .orElseGet(() -> request.head().substring(0, request.head().indexOf(' ')));
  }

  private static String cancelled(String id) {
    return """
    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"%s"}}\
    """
        .formatted(id, REASON);
  }

  private long count(String outcome) {
    var timer = upstreamFixture.meters().find("gatebook.upstream").tag("outcome", outcome).timer();
    return timer == null ? 0 : timer.count();
  }
}
