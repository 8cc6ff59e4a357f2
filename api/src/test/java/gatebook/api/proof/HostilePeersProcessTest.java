package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.upstream.source.Stub;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upstreams and callers that misbehave cost what any call costs: each gets a fault and a record,
 * and nothing of it stays in the process.
 */
final class HostilePeersProcessTest {
  private static final int AT_ONCE = 32;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Once it has served some calls, a process has loaded and filled what it keeps anyway. */
  private static final int WARMING_ROUNDS = 20;

  /**
   * The newest events that the journal keeps in memory are few, so that they are all there soon;
   * and ten thousand answers that are too long are read to where they are in minutes.
   */
  private static final String RULES =
      """
      schema: 1
      sources:
      %s
      governance:
        defaults: {action: forward}
      limits: {answer_bytes_max: 1048576}
      journal: {tail_events_max: 256}
      """;

  /**
   * Small, so that a hundred times as much, or two thousand answers that are too long, is noticed.
   */
  private static final Server.How SMALL =
      new Server.How(List.of(), List.of(), Map.of("GATEBOOK_JAVA_OPTS", "-Xmx256m"));

  /** What two databases may cache together in such a heap. */
  private static final long HEAP_BYTES_MAX = 32L << 20;

  private static final long FILES_MAX = 16;

  @TempDir private Path temp;

  private final int rounds = Proof.rounds(6, 10_000);
  private final Map<Misdeed, Stub> upstreams = new EnumMap<>(Misdeed.class);

  @Test
  void whateverAnUpstreamDoesTheCallerGetsAFaultTheJournalAnEventAndNothingStays()
      throws Exception {
    for (Misdeed each : Misdeed.values()) {
      upstreams.put(each, new Stub(peer -> misbehave(each, peer)));
    }
    try (Server server = Server.start(place().directory(), SMALL);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      provoke(server, http, WARMING_ROUNDS);
      Resources before = settled(server);

      Map<String, Long> told = provoke(server, http, rounds);

      expectNothingStays("hostile upstreams", before, settled(server));
      assertThat(told).isEqualTo(each(it -> String.valueOf(it.code()), rounds));
      assertThat(recorded(server))
          .isEqualTo(each(it -> it.code() + " " + it.fault(), rounds + WARMING_ROUNDS));
    } finally {
      for (Stub each : upstreams.values()) {
        each.close();
      }
    }
  }

  private static void misbehave(Misdeed misdeed, Stub.Peer peer) throws IOException {
    peer.request();
    misdeed.to(peer);
  }

  private Place place() {
    return Place.ruled(
        temp,
        RULES.formatted(
            upstreams.entrySet().stream()
                .map(of ->
                    "  - {id: %s, kind: mcp, prefix: %s, timeout: %dms, url: \"%s\"}"
                        .formatted(
                            of.getKey().source(),
                            of.getKey().prefix(),
                            of.getKey().timeoutMillis(),
                            of.getValue().url("/mcp")))
                .collect(joining("\n"))));
  }

  /** By tool and the code that the caller was told, how often. */
  private static Map<String, Long> provoke(Server server, HttpClient http, int times)
      throws Exception {
    List<Callable<String>> calls = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      for (Misdeed each : Misdeed.values()) {
        calls.add(() -> each.tool() + " " + call(server, http, each).at("/error/code"));
      }
    }
    Map<String, Long> told = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<String> each : threads.invokeAll(calls)) {
        told.merge(each.get(), 1L, Long::sum);
      }
    }
    return told;
  }

  private static JsonNode call(Server server, HttpClient http, Misdeed misdeed)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.mcp())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofString(body(misdeed.tool())))
            .build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    return Server.json(message(answer));
  }

  /** The answer itself, or the last message of a stream. */
  private static String message(HttpResponse<String> answer) {
    return answer.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")
        ? answer
            .body()
            .lines()
            .filter(line -> line.startsWith("data: "))
            .toList()
            .getLast()
            .substring(6)
        : answer.body();
  }

  private static String body(String tool) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}"
        .formatted(tool);
  }

  private static Map<String, Long> each(Function<Misdeed, String> end, long times) {
    return Stream.of(Misdeed.values())
        .collect(toMap(it -> it.tool() + " " + end.apply(it), _ -> times));
  }

  /** By tool, code and kind of fault, how many errors the journal has. */
  private static Map<String, Long> recorded(Server server) {
    Map<String, Long> recorded = new TreeMap<>();
    for (JsonNode group : server.ask("audit.errors", "{}").get("groups")) {
      recorded.merge(
          "%s %s %s"
              .formatted(
                  group.path("target").asText(), group.get("code"), group.get("fault").asText()),
          group.get("count").asLong(),
          Long::sum);
    }
    return recorded;
  }

  @Test
  void whenItsCallerGoesAwayACallIsAbandonedAndNothingStays() throws Exception {
    Semaphore arrived = new Semaphore(0);
    Stub.Script script =
        peer -> {
          peer.request();
          arrived.release();
          peer.waitForEnd();
        };
    try (Stub upstream = new Stub(script);
        Server server = Server.start(patient(upstream).directory(), SMALL)) {
      goAway(server, arrived, WARMING_ROUNDS);
      Resources before = settled(server);

      goAway(server, arrived, rounds);

      expectNothingStays("callers that go away", before, settled(server));
      await().until(() -> abandoned(server), count -> count == WARMING_ROUNDS + rounds);
    }
  }

  /** A source need not notice that nobody waits for its answer any more; then its time ends it. */
  private Place patient(Stub upstream) {
    return Place.ruled(
        temp,
        RULES.formatted(
            "  - {id: slow, kind: mcp, timeout: 15s, url: \"%s\"}"
                .formatted(upstream.url("/mcp"))));
  }

  /** So many callers at a time call, and hang up when their call has arrived upstream. */
  private static void goAway(Server server, Semaphore arrived, int callers) throws Exception {
    for (int gone = 0; gone < callers; gone += AT_ONCE) {
      List<Socket> open = new ArrayList<>();
      for (int caller = gone; caller < Math.min(callers, gone + AT_ONCE); caller++) {
        open.add(call(server.mcp()));
      }
      assertThat(arrived.tryAcquire(open.size(), PATIENCE.toSeconds(), SECONDS)).isTrue();
      for (Socket each : open) {
        each.close();
      }
    }
  }

  private static Socket call(URI url) throws IOException {
    Socket socket = new Socket(url.getHost(), url.getPort());
    String body = body("slow");
    socket
        .getOutputStream()
        .write(
            """
            POST %s HTTP/1.1\r
            Host: %s\r
            Content-Type: application/json\r
            Content-Length: %d\r
            \r
            %s\
            """
                .formatted(url.getPath(), url.getAuthority(), body.length(), body)
                .getBytes(US_ASCII));
    return socket;
  }

  private static int abandoned(Server server) {
    return server.calls("\"status\":\"abandoned\"").size();
  }

  private static void expectNothingStays(String what, Resources before, Resources after) {
    System.err.printf("%s: before %s, after %s%n", what, before, after);
    assertThat(after.connections()).isZero();
    assertThat(after.files()).isLessThanOrEqualTo(before.files() + FILES_MAX);
    assertThat(after.heapBytes()).isLessThanOrEqualTo(before.heapBytes() + HEAP_BYTES_MAX);
  }

  /** What it holds once no connection to a source is open. */
  private static Resources settled(Server server) {
    return await().until(() -> Resources.of(server), resources -> resources.connections() == 0);
  }
}
