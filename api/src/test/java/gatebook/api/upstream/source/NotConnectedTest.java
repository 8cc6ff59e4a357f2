package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.TestSources.PATIENT_MILLIS;
import static gatebook.api.upstream.source.TestSources.jsonrpc;
import static gatebook.api.upstream.source.TestSources.limited;
import static gatebook.api.upstream.source.TestSources.mcp;
import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Response.NotConnected;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NotConnectedTest {

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  @Test
  void aClosedPortRefuses() throws IOException {
    try (Socket silent = new Socket()) { // reserves the port without listening
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThat(upstreamFixture.response(mcp(url)))
          .isEqualTo(new NotConnected("connection refused"));
    }
  }

  @Test
  void aHostThatDoesNotExistIsUnknown() {
    assertThat(upstreamFixture.response(mcp(URI.create("http://nowhere.invalid/"))))
        .isEqualTo(new NotConnected("unknown host"));
  }

  @Test
  void aConnectionThatIsNotAcceptedTimesOut() throws IOException {
    List<SocketChannel> filling = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 8; i++) { // no connection is accepted, so the backlog fills up
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(full.getLocalSocketAddress());
        filling.add(channel);
      }
      URI url = URI.create("http://127.0.0.1:" + full.getLocalPort());

      assertThat(upstreamFixture.response(limited(url, 1_500, PATIENT_MILLIS)))
          .isEqualTo(new NotConnected("no connection in time"));
      assertThat(upstreamFixture.response(limited(url, PATIENT_MILLIS, 1_500)))
          .isEqualTo(new NotConnected("no connection in time"));
    } finally {
      for (SocketChannel channel : filling) {
        channel.close();
      }
    }
  }

  @Test
  void aHostWithoutTlsIsNotConnected() throws IOException {
    try (StubServer stubServer =
        new StubServer(peer -> peer.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      URI url = URI.create(stubServer.url("/").toString().replace("http:", "https:"));

      assertThat(upstreamFixture.response(mcp(url)))
          .isInstanceOfSatisfying(
              NotConnected.class, it -> assertThat(it.reason()).startsWith("tls failed: "));
    }
  }

  @Test
  void aConnectionClosedWhileIdleIsReplaced() throws IOException {
    try (StubServer stubServer =
        new StubServer(peer -> {
          String id = peer.request().id();
          peer.answer(
              200,
              StubServer.JSON,
              """
              {"jsonrpc":"2.0","id":%s,"result":1}\
              """
                  .formatted(id));
        })) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")));

      for (int i = 0; i < 50; i++) {
        assertThat(upstream.call(CALL, MessageListener.NONE).join())
            .isEqualTo(new Ended.Result("1", false));
        await().until(() -> upstreamFixture.connections() == 0);
      }

      assertThat(stubServer.accepted()).isEqualTo(50);
    }
  }

  @Test
  void callsWaitForAConnectionUntilTheQueueIsFull() throws IOException {
    CountDownLatch answering = new CountDownLatch(1);
    ConnectionLimits connectionLimits =
        new ConnectionLimits(1, 1, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);
    try (StubServer stubServer = StubServer.each(answeringAfter(answering))) {
      Upstream upstream = upstreamFixture.upstream(jsonrpc(stubServer.url("/")), connectionLimits);
      CompletableFuture<Response> first = upstream.call(CALL, MessageListener.NONE);
      CompletableFuture<Response> second = upstream.call(CALL, MessageListener.NONE);

      Response third = upstream.call(CALL, MessageListener.NONE).join();

      answering.countDown();
      assertThat(third)
          .isEqualTo(new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null)));
      assertThat(List.of(first.join(), second.join())).containsOnly(new Ended.Result("1", false));
      assertThat(stubServer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void waitingTooLongForAConnectionIsOverloaded() throws IOException {
    ConnectionLimits connectionLimits =
        new ConnectionLimits(1, 8, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);
    try (StubServer stubServer = new StubServer(StubServer.Peer::waitForEnd)) {
      ConnectionPool connectionPool = upstreamFixture.pool(stubServer.url("/"), connectionLimits);
      CompletableFuture<ExchangeResult> first =
          connectionPool.post(
              new DefaultHttpHeaders(), new byte[0], timeouts(30_000), SseListener.NONE);

      ExchangeResult second =
          connectionPool
              .post(new DefaultHttpHeaders(), new byte[0], timeouts(100), SseListener.NONE)
              .join();

      first.cancel(false);
      assertThat(second).isEqualTo(new ExchangeResult.Overloaded());
    }
  }

  @Test
  void cancellingClosesTheConnection() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (StubServer stubServer =
        new StubServer(peer -> {
          peer.request();
          peer.waitForEnd();
          closed.countDown();
        })) {
      CompletableFuture<Response> call =
          upstreamFixture.upstream(mcp(stubServer.url("/"))).call(CALL, MessageListener.NONE);
      stubServer.requests.take();

      call.cancel(false);

      await().until(() -> closed.getCount() == 0);
      assertThat(
              upstreamFixture
                  .meters()
                  .get("gatebook.upstream")
                  .tag("outcome", "cancelled")
                  .timer()
                  .count())
          .isEqualTo(1);
    }
  }

  private static StubServer.Script answeringAfter(CountDownLatch latch) {
    return peer -> {
      String id = peer.request().id();
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      peer.answer(
          200,
          StubServer.JSON,
          """
          {"jsonrpc":"2.0","id":%s,"result":1}\
          """
              .formatted(id));
    };
  }

  private static Timeouts timeouts(long millis) {
    return new Timeouts(millis, millis, millis, millis);
  }
}
