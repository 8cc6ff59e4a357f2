package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.Asking.CALL;
import static gatebook.api.upstream.source.Sources.PATIENT_MILLIS;
import static gatebook.api.upstream.source.Sources.jsonrpc;
import static gatebook.api.upstream.source.Sources.limited;
import static gatebook.api.upstream.source.Sources.mcp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended;
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

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  @Test
  void aPortWhereNobodyListensRefuses() throws IOException {
    try (Socket silent = new Socket()) { // has the port, so that nobody else gets it meanwhile
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThat(asking.response(mcp(url))).isEqualTo(new NotConnected("connection refused"));
    }
  }

  @Test
  void aHostThatDoesNotExistIsUnknown() {
    assertThat(asking.response(mcp(URI.create("http://nowhere.invalid/"))))
        .isEqualTo(new NotConnected("unknown host"));
  }

  @Test
  void aHostThatDoesNotTakeTheConnectionIsGivenUp() throws IOException {
    List<SocketChannel> filling = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 8; i++) { // nobody accepts, so the queue is full soon
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(full.getLocalSocketAddress());
        filling.add(channel);
      }
      URI url = URI.create("http://127.0.0.1:" + full.getLocalPort());

      assertThat(asking.response(limited(url, 200, PATIENT_MILLIS)))
          .isEqualTo(new NotConnected("no connection in time"));
      assertThat(asking.response(limited(url, PATIENT_MILLIS, 200)))
          .isEqualTo(new NotConnected("no connection in time"));
    } finally {
      for (SocketChannel channel : filling) {
        channel.close();
      }
    }
  }

  @Test
  void aHostThatDoesNotSpeakTlsIsNotConnected() throws IOException {
    try (Stub stub = new Stub(peer -> peer.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      URI url = URI.create(stub.url("/").toString().replace("http:", "https:"));

      assertThat(asking.response(mcp(url)))
          .isInstanceOfSatisfying(
              NotConnected.class, it -> assertThat(it.reason()).startsWith("tls failed: "));
    }
  }

  @Test
  void aConnectionClosedWhileIdleIsReplaced() throws IOException {
    try (Stub stub =
        new Stub(peer -> {
          String id = peer.request().id();
          peer.answer(200, Stub.JSON, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":1}".formatted(id));
        })) {
      Upstream upstream = asking.upstream(mcp(stub.url("/")));

      for (int i = 0; i < 50; i++) {
        assertThat(upstream.call(CALL, Aside.NOBODY).join())
            .isEqualTo(new Ended.Result("1", false));
        await().until(() -> asking.connections() == 0);
      }

      assertThat(stub.accepted()).isEqualTo(50);
    }
  }

  @Test
  void whoFindsEveryConnectionInUseWaitsAndWhoFindsNoPlaceIsTold() throws IOException {
    CountDownLatch answering = new CountDownLatch(1);
    ConnectionLimits connectionLimits =
        new ConnectionLimits(1, 1, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);
    try (Stub stub = Stub.each(answeringAfter(answering))) {
      Upstream upstream = asking.upstream(jsonrpc(stub.url("/")), connectionLimits);
      CompletableFuture<Response> first = upstream.call(CALL, Aside.NOBODY);
      CompletableFuture<Response> second = upstream.call(CALL, Aside.NOBODY);

      Response third = upstream.call(CALL, Aside.NOBODY).join();

      answering.countDown();
      assertThat(third).isEqualTo(new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM, null)));
      assertThat(List.of(first.join(), second.join())).containsOnly(new Ended.Result("1", false));
      assertThat(stub.accepted()).isEqualTo(1);
    }
  }

  @Test
  void whoWaitsTooLongForAConnectionIsToldSo() throws IOException {
    ConnectionLimits connectionLimits =
        new ConnectionLimits(1, 8, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);
    try (Stub stub = new Stub(Stub.Peer::waitForEnd)) {
      ConnectionPool connectionPool = asking.line(stub.url("/"), connectionLimits);
      CompletableFuture<ExchangeResult> first =
          connectionPool.post(
              new DefaultHttpHeaders(), new byte[0], patience(30_000), SseListener.NONE);

      ExchangeResult second =
          connectionPool
              .post(new DefaultHttpHeaders(), new byte[0], patience(100), SseListener.NONE)
              .join();

      first.cancel(false);
      assertThat(second).isEqualTo(new ExchangeResult.Overloaded());
    }
  }

  @Test
  void givingUpClosesTheConnection() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (Stub stub =
        new Stub(peer -> {
          peer.request();
          peer.waitForEnd();
          hungUp.countDown();
        })) {
      CompletableFuture<Response> call =
          asking.upstream(mcp(stub.url("/"))).call(CALL, Aside.NOBODY);
      stub.requests.take();

      call.cancel(false);

      await().until(() -> hungUp.getCount() == 0);
      assertThat(
              asking.meters().get("gatebook.upstream").tag("outcome", "cancelled").timer().count())
          .isEqualTo(1);
    }
  }

  private static Stub.Script answeringAfter(CountDownLatch latch) {
    return peer -> {
      String id = peer.request().id();
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      peer.answer(200, Stub.JSON, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":1}".formatted(id));
    };
  }

  private static Timeouts patience(long millis) {
    return new Timeouts(millis, millis, millis);
  }
}
