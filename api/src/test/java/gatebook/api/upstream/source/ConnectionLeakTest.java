package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.TestSources.limited;
import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.events.Proof;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many repeated failures leak no connection, thread or buffer. */
class ConnectionLeakTest {

  private static final int TIMES = Proof.rounds(100, 1_000);
  private static final int AT_ONCE = 20;

  /** A short idle time, as a connection may open after its call ended and is then kept. */
  private static final ConnectionLimits LIMITS =
      new ConnectionLimits(64, 1_024, 100, 5_000, 8 << 10, 10L << 20, 16, 60_000);

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  private static Map<String, StubServer.Script> failures() {
    Map<String, StubServer.Script> failures = new TreeMap<>();
    failures.put("closed before an answer", StubServer.Peer::request);
    failures.put("reset", after(StubServer.Peer::reset));
    failures.put("closed in headers", after(peer -> peer.send("HTTP/1.1 200 OK\r\nX")));
    failures.put(
        "closed in body",
        after(peer -> peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")));
    failures.put("no http", after(peer -> peer.send("220 ready\r\n\r\n")));
    failures.put(
        "headers too large", after(peer -> peer.send("HTTP/1.1 200 OK\r\n" + "x".repeat(9_000))));
    failures.put("never answers", after(StubServer.Peer::waitForEnd));
    failures.put(
        "too large",
        after(peer -> peer.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")));
    failures.put("status", after(peer -> peer.answer(500, "", "no")));
    failures.put("twice", after(peer -> peer.send("HTTP/1.1 204 A\r\n\r\nHTTP/1.1 204 B\r\n\r\n")));
    failures.put(
        "stream that goes on",
        peer -> {
          String id = peer.request().id();
          peer.send(
              """
              HTTP/1.1 200 OK\r\n%s\r\ndata: {"jsonrpc":"2.0","id":%s,"result":1}\n\n\
              """
                  .formatted(StubServer.EVENTS, id));
          peer.waitForEnd();
        });
    return failures;
  }

  @Test
  void manyFailuresLeaveNoConnection() throws IOException {
    for (Map.Entry<String, StubServer.Script> failure : failures().entrySet()) {
      try (StubServer stubServer = new StubServer(failure.getValue())) {
        Upstream upstream =
            upstreamFixture.upstream(limited(stubServer.url("/"), 5_000, 250), LIMITS);

        for (int i = 0; i < TIMES; i += AT_ONCE) {
          many(upstream);
        }

        await(failure.getKey())
            .until(() -> upstreamFixture.connections() == 0 && stubServer.open() == 0);
      }
    }
    await().until(() -> lookups() == 0); // at some moment, because other tests look up names too
  }

  private static long lookups() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("gatebook-lookup"))
        .count();
  }

  @Test
  void manyRefusedConnectionsLeaveNoConnection() throws IOException {
    StubServer gone = new StubServer(StubServer.Peer::request);
    gone.close();
    Upstream upstream = upstreamFixture.upstream(limited(gone.url("/"), 5_000, 5_000), LIMITS);

    for (int i = 0; i < TIMES; i += AT_ONCE) {
      many(upstream);
    }

    await().until(() -> upstreamFixture.connections() == 0);
  }

  @Test
  void manyCancelledCallsLeaveNoConnection() throws IOException {
    try (StubServer stubServer = new StubServer(StubServer.Peer::waitForEnd)) {
      Upstream upstream =
          upstreamFixture.upstream(limited(stubServer.url("/"), 5_000, 5_000), LIMITS);

      for (int i = 0; i < TIMES; i++) {
        upstream.call(CALL, MessageListener.NONE).cancel(false);
      }

      await().until(() -> upstreamFixture.connections() == 0 && stubServer.open() == 0);
    }
  }

  private static void many(Upstream upstream) {
    CompletableFuture<?>[] calls = new CompletableFuture<?>[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
      calls[i] = upstream.call(CALL, MessageListener.NONE);
    }
    CompletableFuture.allOf(calls).join();
  }

  private static StubServer.Script after(StubServer.Script script) {
    return peer -> {
      peer.request();
      script.run(peer);
    };
  }
}
