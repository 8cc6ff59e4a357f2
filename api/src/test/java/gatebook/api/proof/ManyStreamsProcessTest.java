package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.source.StubServer;
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

/** A thousand open streams need little memory and do not delay other calls. */
final class ManyStreamsProcessTest {
  private static final int STREAMS = 1_000;

  /** The number of sources, so that each has fewer streams than a source may have connections. */
  private static final int SOURCES = 20;

  private static final int SHORT_CALLS = 2_000;
  private static final int SHORT_CALLERS = 4;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final ServerProcess.StartOptions SMALL =
      new ServerProcess.StartOptions(
          List.of(), List.of(), Map.of("GATEBOOK_JAVA_OPTS", "-Xmx256m"));

  @TempDir private Path temp;

  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void aThousandStreamsDoNotDelayShortCalls() throws Exception {
    try (StubServer slow = new StubServer(this::stream);
        StubServer quick = new StubServer(ManyStreamsProcessTest::answer);
        ServerProcess server = ServerProcess.start(directory(slow, quick).directory(), SMALL);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<CompletableFuture<HttpResponse<Stream<String>>>> streams =
          IntStream.range(0, STREAMS)
              .mapToObj(number ->
                  http.sendAsync(
                      call(server, "slow%d.work".formatted(number % SOURCES), number),
                      BodyHandlers.ofLines()))
              .toList();
      // a stream is open when its first event has arrived
      CompletableFuture.allOf(streams.toArray(CompletableFuture[]::new))
          .get(TIMEOUT.toSeconds(), SECONDS);
      ProcessResources held = ProcessResources.of(server);

      List<Long> micros = shortCalls(server, http);
      released.countDown();

      for (int number = 0; number < STREAMS; number++) {
        assertThat(text(streams.get(number).join())).containsOnlyOnce(result(number));
      }
      System.err.printf(
          "%d streams open: %s; %d short calls meanwhile: p50 %d µs, p99 %d µs%n",
          STREAMS, held, micros.size(), percentile(micros, 0.5), percentile(micros, 0.99));
      assertThat(held.connections()).isGreaterThanOrEqualTo(STREAMS);
      assertThat(micros).hasSize(SHORT_CALLS);
    }
  }

  /** The whole text of a response that ends with its stream. */
  private static String text(HttpResponse<Stream<String>> answer) {
    try (Stream<String> lines = answer.body()) {
      return lines.collect(joining("\n"));
    }
  }

  private ServerDirectory directory(StubServer slow, StubServer quick) {
    String sources =
        IntStream.range(0, SOURCES)
            .mapToObj(number ->
                "  - {id: slow%d, kind: mcp, prefix: slow%d., timeout: 10m, url: \"%s\"}\n"
                    .formatted(number, number, slow.url("/mcp" + number)))
            .collect(joining());
    return ServerDirectory.withRules(
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

  private void stream(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.request();
    if (!request.body().contains("tools/call")) {
      return; // a request of the node itself
    }
    peer.send(
        """
        HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\
        data: {"jsonrpc":"2.0","method":"notifications/message",\
        "params":{"level":"info","data":"at it"}}\n\n\
        """);
    awaitReleased();
    peer.send(
        """
        data: {"jsonrpc":"2.0","id":%s,%s}\n\n\
        """
            .formatted(request.id(), outcome(request)));
  }

  private void awaitReleased() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(StubServer.Peer peer) throws IOException {
    while (true) { // until Gatebook closes the connection
      StubServer.Request request = peer.request();
      peer.answer(
          200,
          StubServer.JSON,
          """
          {"jsonrpc":"2.0","id":%s,%s}\
          """
              .formatted(request.id(), outcome(request)));
    }
  }

  /** A result that identifies the call it answers. */
  private static String outcome(StubServer.Request request) {
    int from = request.body().indexOf("\"number\":") + 9;
    return from < 9
        ? "\"result\":{\"tools\":[]}"
        : result(
            Integer.parseInt(request.body().substring(from, request.body().indexOf('}', from))));
  }

  private static String result(int number) {
    return """
    "result":{"content":[{"type":"text","text":"number %d"}]}\
    """
        .formatted(number);
  }

  private static HttpRequest call(ServerProcess server, String tool, int number) {
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

  /** The duration of each call in microseconds, ascending. */
  private static List<Long> shortCalls(ServerProcess server, HttpClient http) {
    List<CompletableFuture<List<Long>>> callers = new ArrayList<>();
    for (int caller = 0; caller < SHORT_CALLERS; caller++) {
      callers.add(
          CompletableFuture.supplyAsync(
              () -> sequentialCalls(server, http), work -> Thread.ofVirtual().start(work)));
    }
    return callers.stream().flatMap(caller -> caller.join().stream()).sorted().toList();
  }

  private static List<Long> sequentialCalls(ServerProcess server, HttpClient http) {
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

  private static long percentile(List<Long> ascending, double part) {
    return ascending.get((int) (part * (ascending.size() - 1)));
  }
}
