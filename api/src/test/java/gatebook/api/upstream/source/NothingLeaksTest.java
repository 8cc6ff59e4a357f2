package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.Asking.CALL;
import static gatebook.api.upstream.source.Sources.limited;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.http.ConnectionLimits;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each way to fail, many times over: no connection, thread or buffer is left of it. */
class NothingLeaksTest {

  private static final int TIMES =
      "long".equals(System.getProperty("gatebook.proof")) ? 1_000 : 100;
  private static final int AT_ONCE = 20;

  /** One that was opened for a call that is over by then is kept for others, but not for long. */
  private static final ConnectionLimits BOUNDS =
      new ConnectionLimits(64, 1_024, 100, 5_000, 8 << 10, 10L << 20, 16, 60_000);

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  private static Map<String, Stub.Script> failures() {
    Map<String, Stub.Script> failures = new TreeMap<>();
    failures.put("closed before an answer", Stub.Peer::request);
    failures.put("reset", after(Stub.Peer::reset));
    failures.put("closed in headers", after(peer -> peer.send("HTTP/1.1 200 OK\r\nX")));
    failures.put(
        "closed in body",
        after(peer -> peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")));
    failures.put("no http", after(peer -> peer.send("220 ready\r\n\r\n")));
    failures.put(
        "headers too large", after(peer -> peer.send("HTTP/1.1 200 OK\r\n" + "x".repeat(9_000))));
    failures.put("never answers", after(Stub.Peer::waitForEnd));
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
              "HTTP/1.1 200 OK\r\n%s\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":1}\n\n"
                  .formatted(Stub.EVENTS, id));
          peer.waitForEnd();
        });
    return failures;
  }

  @Test
  void nothingIsLeftOfManyFailures() throws IOException {
    for (Map.Entry<String, Stub.Script> failure : failures().entrySet()) {
      try (Stub stub = new Stub(failure.getValue())) {
        Upstream upstream = asking.upstream(limited(stub.url("/"), 5_000, 250), BOUNDS);

        for (int i = 0; i < TIMES; i += AT_ONCE) {
          many(upstream);
        }

        await(failure.getKey()).until(() -> asking.connections() == 0 && stub.open() == 0);
      }
    }
    await().until(() -> lookups() == 0); // at some moment, for other tests look names up too
  }

  private static long lookups() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("gatebook-lookup"))
        .count();
  }

  @Test
  void nothingIsLeftOfManyConnectionsThatAreRefused() throws IOException {
    Stub gone = new Stub(Stub.Peer::request);
    gone.close();
    Upstream upstream = asking.upstream(limited(gone.url("/"), 5_000, 5_000), BOUNDS);

    for (int i = 0; i < TIMES; i += AT_ONCE) {
      many(upstream);
    }

    await().until(() -> asking.connections() == 0);
  }

  @Test
  void nothingIsLeftOfManyCallsThatAreGivenUp() throws IOException {
    try (Stub stub = new Stub(Stub.Peer::waitForEnd)) {
      Upstream upstream = asking.upstream(limited(stub.url("/"), 5_000, 5_000), BOUNDS);

      for (int i = 0; i < TIMES; i++) {
        upstream.call(CALL, Aside.NOBODY).cancel(false);
      }

      await().until(() -> asking.connections() == 0 && stub.open() == 0);
    }
  }

  private static void many(Upstream upstream) {
    CompletableFuture<?>[] calls = new CompletableFuture<?>[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
      calls[i] = upstream.call(CALL, Aside.NOBODY);
    }
    CompletableFuture.allOf(calls).join();
  }

  private static Stub.Script after(Stub.Script script) {
    return peer -> {
      peer.request();
      script.run(peer);
    };
  }
}
