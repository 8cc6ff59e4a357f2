package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.source.Stub;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand answers that take their time are under way in little memory, and nobody else waits.
 */
final class ManyStreamsProcessTest {
  private static final int STREAMS = 1_000;

  /** Of one of them, fewer streams than a source may have connections. */
  private static final int SOURCES = 20;

  private static final int SHORT_CALLS = 2_000;
  private static final int SHORT_CALLERS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Server.How SMALL =
      new Server.How(List.of(), List.of(), Map.of("GATEBOOK_JAVA_OPTS", "-Xmx256m"));

  @TempDir private Path temp;

  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void aThousandStreamsAreHeldOpenWhileShortCallsGoOnAndAllAreAnswered() throws Exception {
    try (Stub slow = new Stub(this::stream);
        Stub quick = new Stub(ManyStreamsProcessTest::answer);
        Server server = Server.start(place(slow, quick).directory(), SMALL);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<CompletableFuture<HttpResponse<Stream<String>>>> streams =
          IntStream.range(0, STREAMS)
              .mapToObj(number ->
                  http.sendAsync(
                      call(server, "slow%d.work".formatted(number % SOURCES), number),
                      BodyHandlers.ofLines()))
              .toList();
      // they are open when their first event has come through
      CompletableFuture.allOf(streams.toArray(CompletableFuture[]::new))
          .get(PATIENCE.toSeconds(), SECONDS);
      Resources held = Resources.of(server);

      List<Long> micros = shortCalls(server, http);
      released.countDown();

      for (int number = 0; number < STREAMS; number++) {
        assertThat(text(streams.get(number).join())).containsOnlyOnce(result(number));
      }
      System.err.printf(
          "%d streams open: %s; %d short calls meanwhile: p50 %d µs, p99 %d µs%n",
          STREAMS, held, micros.size(), part(micros, 0.5), part(micros, 0.99));
      assertThat(held.connections()).isGreaterThanOrEqualTo(STREAMS);
      assertThat(micros).hasSize(SHORT_CALLS);
    }
  }

  /** All of an answer, which ends when it ends. */
  private static String text(HttpResponse<Stream<String>> answer) {
    try (Stream<String> lines = answer.body()) {
      return lines.collect(joining("\n"));
    }
  }

  private Place place(Stub slow, Stub quick) {
    String sources =
        IntStream.range(0, SOURCES)
            .mapToObj(number ->
                "  - {id: slow%d, kind: mcp, prefix: slow%d., timeout: 10m, url: \"%s\"}\n"
                    .formatted(number, number, slow.url("/mcp" + number)))
            .collect(joining());
    return Place.ruled(
        temp,
        """
        schema: 1
        sources:
        %s  - {id: quick, kind: mcp, url: "%s"}
        governance:
          defaults: {action: forward}
        """
            .formatted(sources, quick.url("/mcp")));
  }

  private void stream(Stub.Peer peer) throws IOException {
    Stub.Request request = peer.request();
    if (!request.body().contains("tools/call")) {
      return; // what the node asks of its sources by itself
    }
    peer.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            + "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
            + "\"params\":{\"level\":\"info\",\"data\":\"at it\"}}\n\n");
    awaitReleased();
    peer.send("data: {\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n\n".formatted(request.id(), of(request)));
  }

  private void awaitReleased() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(Stub.Peer peer) throws IOException {
    while (true) { // until the other side hangs up
      Stub.Request request = peer.request();
      peer.answer(
          200,
          Stub.JSON,
          "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(request.id(), of(request)));
    }
  }

  /** A result that tells which call it answers. */
  private static String of(Stub.Request request) {
    int from = request.body().indexOf("\"number\":") + 9;
    return from < 9
        ? "\"result\":{\"tools\":[]}"
        : result(
            Integer.parseInt(request.body().substring(from, request.body().indexOf('}', from))));
  }

  private static String result(int number) {
    return "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"number %d\"}]}"
        .formatted(number);
  }

  private static HttpRequest call(Server server, String tool, int number) {
    return HttpRequest.newBuilder(server.mcp())
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .POST(
            BodyPublishers.ofString(
                """
                {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":\
                {"name":"%s","arguments":{"number":%d}}}\
                """
                    .formatted(number, tool, number)))
        .build();
  }

  /** How long each took, in ascending order. */
  private static List<Long> shortCalls(Server server, HttpClient http) {
    List<CompletableFuture<List<Long>>> callers = new ArrayList<>();
    for (int caller = 0; caller < SHORT_CALLERS; caller++) {
      callers.add(
          CompletableFuture.supplyAsync(
              () -> oneAfterTheOther(server, http), work -> Thread.ofVirtual().start(work)));
    }
    return callers.stream().flatMap(caller -> caller.join().stream()).sorted().toList();
  }

  private static List<Long> oneAfterTheOther(Server server, HttpClient http) {
    List<Long> micros = new ArrayList<>();
    for (int number = 0; number < SHORT_CALLS / SHORT_CALLERS; number++) {
      long from = System.nanoTime();
      HttpResponse<String> answer =
          http.sendAsync(call(server, "work", number), BodyHandlers.ofString()).join();
      assertThat(answer.body()).contains(result(number));
      micros.add((System.nanoTime() - from) / 1_000);
    }
    return micros;
  }

  private static long part(List<Long> ascending, double part) {
    return ascending.get((int) (part * (ascending.size() - 1)));
  }
}
