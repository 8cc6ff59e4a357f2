package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.Proof;
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
 * Misbehaving upstreams and callers cause a fault and a record for each call, and no leak in the
 * process.
 */
final class HostilePeersProcessTest {
  private static final int AT_ONCE = 32;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** The warm-up rounds, after which caches are filled and classes are loaded. */
  private static final int WARM_UP_ROUNDS = Proof.rounds(6, 20);

  /**
   * The journal keeps few events in memory, so that this memory is full soon. The answer limit is
   * small, so that ten thousand oversized answers are read up to the limit within minutes.
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

  @TempDir private Path temp;

  private final int rounds = Proof.rounds(6, 10_000);
  private final Map<UpstreamMisbehavior, StubServer> upstreams =
      new EnumMap<>(UpstreamMisbehavior.class);

  @Test
  void aMisbehavingUpstreamCausesARecordedFaultAndNoLeak() throws Exception {
    for (UpstreamMisbehavior each : UpstreamMisbehavior.values()) {
      upstreams.put(each, new StubServer(peer -> misbehave(each, peer)));
    }
    try (ServerProcess server =
            ServerProcess.start(directory().directory(), ServerProcess.StartOptions.SMALL);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      provoke(server, http, WARM_UP_ROUNDS);
      ProcessResources before = ProcessResources.awaitIdle(server);

      Map<String, Long> responses = provoke(server, http, rounds);

      assertNoLeak("hostile upstreams", before, ProcessResources.awaitIdle(server));
      assertThat(responses).isEqualTo(countPerMisbehavior(it -> String.valueOf(it.code()), rounds));
      assertThat(recorded(server))
          .isEqualTo(
              countPerMisbehavior(it -> it.code() + " " + it.fault(), rounds + WARM_UP_ROUNDS));
    } finally {
      for (StubServer each : upstreams.values()) {
        each.close();
      }
    }
  }

  private static void misbehave(UpstreamMisbehavior misbehavior, StubServer.Peer peer)
      throws IOException {
    peer.request();
    misbehavior.apply(peer);
  }

  private ServerDirectory directory() {
    return ServerDirectory.withRules(
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

  /** The number of error responses by tool and code. */
  private static Map<String, Long> provoke(ServerProcess server, HttpClient http, int times)
      throws Exception {
    List<Callable<String>> calls = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      for (UpstreamMisbehavior each : UpstreamMisbehavior.values()) {
        calls.add(() -> each.tool() + " " + call(server, http, each).at("/error/code"));
      }
    }
    Map<String, Long> responses = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<String> each : threads.invokeAll(calls)) {
        responses.merge(each.get(), 1L, Long::sum);
      }
    }
    return responses;
  }

  private static JsonNode call(
      ServerProcess server, HttpClient http, UpstreamMisbehavior misbehavior)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.mcp())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofString(body(misbehavior.tool())))
            .build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    return ServerProcess.json(message(answer));
  }

  /** The response itself, or the last message of a stream. */
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
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s"}}\
    """
        .formatted(tool);
  }

  private static Map<String, Long> countPerMisbehavior(
      Function<UpstreamMisbehavior, String> end, long times) {
    return Stream.of(UpstreamMisbehavior.values())
        .collect(toMap(it -> it.tool() + " " + end.apply(it), _ -> times));
  }

  /** The number of errors in the journal by tool, code and kind of fault. */
  private static Map<String, Long> recorded(ServerProcess server) {
    Map<String, Long> recorded = new TreeMap<>();
    for (JsonNode group : server.request("audit.errors", "{}").get("groups")) {
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
  void aDisconnectedCallerAbandonsItsCallWithoutALeak() throws Exception {
    Semaphore arrived = new Semaphore(0);
    StubServer.Script script =
        peer -> {
          peer.request();
          arrived.release();
          peer.waitForEnd();
        };
    try (StubServer upstream = new StubServer(script);
        ServerProcess server =
            ServerProcess.start(
                slowDirectory(upstream).directory(), ServerProcess.StartOptions.SMALL)) {
      callAndDisconnect(server, arrived, WARM_UP_ROUNDS);
      ProcessResources before = ProcessResources.awaitIdle(server);

      callAndDisconnect(server, arrived, rounds);

      assertNoLeak("disconnected callers", before, ProcessResources.awaitIdle(server));
      await().until(() -> abandoned(server), count -> count == WARM_UP_ROUNDS + rounds);
    }
  }

  /** Rules with a timeout, because a source need not notice that its caller has disconnected. */
  private ServerDirectory slowDirectory(StubServer upstream) {
    return ServerDirectory.withRules(
        temp,
        RULES.formatted(
            "  - {id: slow, kind: mcp, timeout: 15s, url: \"%s\"}"
                .formatted(upstream.url("/mcp"))));
  }

  /**
   * Makes calls with this many callers, each of which disconnects when its call has arrived
   * upstream.
   */
  private static void callAndDisconnect(ServerProcess server, Semaphore arrived, int callers)
      throws Exception {
    for (int gone = 0; gone < callers; gone += AT_ONCE) {
      List<Socket> open = new ArrayList<>();
      for (int caller = gone; caller < Math.min(callers, gone + AT_ONCE); caller++) {
        open.add(call(server.mcp()));
      }
      assertThat(arrived.tryAcquire(open.size(), TIMEOUT.toSeconds(), SECONDS)).isTrue();
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

  private static int abandoned(ServerProcess server) {
    return server.calls("\"status\":\"abandoned\"").size();
  }

  private static void assertNoLeak(String what, ProcessResources before, ProcessResources after) {
    System.err.printf("%s: before %s, after %s%n", what, before, after);
    after.assertNoLeakSince(before);
  }
}
