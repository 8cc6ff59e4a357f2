package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.StubServer.EVENTS;
import static gatebook.api.upstream.source.StubServer.JSON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections are used again when the last answer was read to its end and taken. */
class ConnectionReuseTest {
  private static final Timeouts TIMEOUTS = new Timeouts(20_000, 20_000, 20_000, 20_000);
  private static final ConnectionLimits ONE_CONNECTION =
      new ConnectionLimits(1, 8, 30_000, 5_000, 8 << 10, 10L << 20, 1, 60_000);

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  /** A server that answers with a whole stream at once, and keeps the connection. */
  private static StubServer server() {
    return StubServer.each(peer -> {
      if (peer.request().body().equals("stream")) {
        String item = "data: 1\n\n";
        peer.send(
            "HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                .formatted(EVENTS, item.length(), item));
      } else {
        peer.answer(200, JSON, "{}");
      }
    });
  }

  @Test
  void listenerThatTakesNothingDelaysNoOtherRequest() throws IOException {
    try (StubServer server = server()) {
      ConnectionPool pool = upstreamFixture.pool(server.url("/"), ConnectionLimits.DEFAULT);

      ExchangeResult refused = post(pool, "stream", _ -> new CompletableFuture<>()).join();

      assertThat(refused).isInstanceOf(ExchangeResult.Broken.class);
      assertThat(post(pool, "other", SseListener.NONE).join())
          .isInstanceOf(ExchangeResult.Answered.class);
      assertThat(server.accepted()).isEqualTo(2);
    }
  }

  @Test
  void connectionOfAListenerThatTakesNothingIsClosed() throws IOException {
    try (StubServer server = server()) {
      ConnectionPool pool = upstreamFixture.pool(server.url("/"), ONE_CONNECTION);

      ExchangeResult _ = post(pool, "stream", _ -> new CompletableFuture<>()).join();

      assertThat(post(pool, "other", SseListener.NONE).join())
          .isInstanceOf(ExchangeResult.Answered.class);
      assertThat(pool.connections()).isEqualTo(1);
      assertThat(server.accepted()).isEqualTo(2);
    }
  }

  @Test
  void connectionOfASlowListenerIsUsedAgain() throws IOException {
    try (StubServer server = server()) {
      ConnectionPool pool = upstreamFixture.pool(server.url("/"), ONE_CONNECTION);
      CompletableFuture<Boolean> taken = new CompletableFuture<>();
      ExchangeResult _ = post(pool, "stream", _ -> taken).join();

      CompletableFuture<ExchangeResult> other = post(pool, "other", SseListener.NONE);
      assertThat(other).isNotDone();
      taken.complete(false);

      assertThat(other.join()).isInstanceOf(ExchangeResult.Answered.class);
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  private static CompletableFuture<ExchangeResult> post(
      ConnectionPool pool, String body, SseListener sseListener) {
    return pool.post(new DefaultHttpHeaders(), body.getBytes(UTF_8), TIMEOUTS, sseListener);
  }
}
