package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.Proof;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The views after the server was killed under load and the views were rebuilt under load: each
 * denial is counted once, and each call is found.
 */
@Order(1)
final class ViewsAfterKillsProcessTest {
  private static final int CALLERS = Proof.rounds(32, 64);
  private static final int KILLS = Proof.rounds(2, 3);
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** The gate that counts a denial, by the code of its error response. */
  private static final Map<Integer, String> GATES =
      Map.of(-32_015, "visibility", -32_014, "governance", -32_003, "policy", -32_007, "approval");

  @TempDir private Path temp;

  private final Set<TestCall> sent = ConcurrentHashMap.newKeySet();
  private final Queue<CallerResponse> responses = new ConcurrentLinkedQueue<>();

  @Test
  void viewsAreCompleteAfterKillsAndARebuild() throws Exception {
    SplittableRandom random = Proof.random("views after kills");
    int calls = Proof.rounds(300, 100_000);
    try (RecordingUpstream upstream = new RecordingUpstream(_ -> {})) {
      ServerDirectory serverDirectory =
          ServerDirectory.withAllGates(temp.resolve("node"), upstream.url());
      for (int run = 1; run <= KILLS; run++) {
        runAndKill(serverDirectory, "run" + run, calls * run / (KILLS + 1), random);
      }
      try (ServerProcess server =
          ServerProcess.start(serverDirectory.directory(), ServerProcess.StartOptions.DEFAULTS)) {
        rebuildUnderLoad(server, calls, random);
        check(server);
        server.stop();
      }
      serverDirectory.verify();
    }
  }

  /** Kills the server during calls and while views are behind. */
  private void runAndKill(
      ServerDirectory serverDirectory, String name, int enough, SplittableRandom random) {
    try (ServerProcess server =
            ServerProcess.start(serverDirectory.directory(), ServerProcess.StartOptions.DEFAULTS);
        ConcurrentCallers callers = callers(server);
        Operator _ = new Operator(server)) {
      callers.start(CALLERS, name, random.split());
      awaitResponses(enough);
      server.kill();
      callers.join();
    }
  }

  /** Rebuilds all views during calls. */
  private void rebuildUnderLoad(ServerProcess server, int calls, SplittableRandom random) {
    try (ConcurrentCallers callers = callers(server);
        Operator _ = new Operator(server)) {
      callers.start(CALLERS, "last", random.split());
      for (String view : List.of("calls", "faults", "approvals", "trees")) {
        server.request("audit.replay", "{\"projection\":\"%s\"}".formatted(view));
      }
      awaitResponses(calls);
      callers.join();
    }
    await().atMost(TIMEOUT).until(() -> rebuildingViews(server), List.of()::equals);
  }

  private ConcurrentCallers callers(ServerProcess server) {
    return new ConcurrentCallers(
        server.mcp(), ViewsAfterKillsProcessTest::kind, sent::add, responses::add);
  }

  /** A kind of call that is answered soon, so that all calls have ended when the callers have. */
  private static TestCall.Kind kind(RandomGenerator random) {
    TestCall.Kind kind = TestCall.Kind.any(random);
    return kind == TestCall.Kind.SLOW ? TestCall.Kind.READ : kind;
  }

  private void awaitResponses(int enough) {
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> responses.size() >= enough);
  }

  private static List<String> rebuildingViews(ServerProcess server) {
    List<String> replaying = new ArrayList<>();
    for (JsonNode view : server.request("audit.projections", "{}").get("projections")) {
      if (view.has("replay")) {
        replaying.add(view.get("name").asText());
      }
    }
    return replaying;
  }

  private void check(ServerProcess server) throws Exception {
    Map<String, JsonNode> found = lookupAll(server);
    Map<String, Long> denials = new TreeMap<>();
    GATES.values().forEach(gate -> denials.put(gate, 0L));
    responses.forEach(response -> {
      JsonNode calls =
          Objects.requireNonNull(found.remove(response.call().marker()), "not looked up");
      assertThat(calls).as("calls with the id of %s", response.call()).hasSize(1);
      String gate = response.isAcknowledgement() ? null : gate(response);
      assertThat(calls.get(0).path("gate").asText(null)).as("%s", response).isEqualTo(gate);
      if (gate != null) {
        denials.merge(gate, 1L, Long::sum);
      }
    });
    int answered = responses.size();
    int unanswered = 0;
    for (JsonNode calls :
        found.values()) { // no response was read: the call may or may not be recorded
      for (JsonNode call : calls) {
        unanswered++;
        if (call.path("status").asText().equals("denied")) {
          denials.merge(call.path("gate").asText(), 1L, Long::sum);
        }
      }
    }
    System.err.printf(
        "views after kills: %d calls sent, %d answers read, %d more recorded, denials %s%n",
        sent.size(), answered, unanswered, denials);
    assertThat(denialCounts(server)).isEqualTo(denials);
    assertThat(listedCalls(server)).isEqualTo(answered + unanswered);
    for (JsonNode view : server.request("audit.projections", "{}").get("projections")) {
      assertThat(view.path("parked").asLong()).as("%s", view).isZero();
    }
  }

  private static @Nullable String gate(CallerResponse response) {
    return GATES.get(response.json().path("error").path("code").asInt());
  }

  private Map<String, JsonNode> lookupAll(ServerProcess server) throws Exception {
    Map<String, JsonNode> found = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS / 2)) {
      List<Future<?>> asked = new ArrayList<>();
      for (TestCall testCall : sent) {
        asked.add(
            threads.submit(() -> found.put(testCall.marker(), server.lookup(testCall.marker()))));
      }
      for (Future<?> each : asked) {
        each.get();
      }
    }
    return found;
  }

  private static Map<String, Long> denialCounts(ServerProcess server) {
    JsonNode denials = server.request("audit.denials", "{}");
    Map<String, Long> counted = new TreeMap<>();
    for (JsonNode group : denials.get("groups")) {
      counted.put(group.get("gate").asText(), group.get("count").asLong());
    }
    assertThat(denials.get("total").asLong())
        .isEqualTo(counted.values().stream().mapToLong(Long::longValue).sum());
    return counted;
  }

  private static int listedCalls(ServerProcess server) {
    int listed = 0;
    String cursor = "";
    do {
      JsonNode page =
          server.request(
              "audit.calls",
              "{\"limit\":1000%s}"
                  .formatted(cursor.isEmpty() ? "" : ",\"cursor\":\"%s\"".formatted(cursor)));
      listed += page.get("calls").size();
      cursor = page.path("cursor").asText("");
    } while (!cursor.isEmpty());
    return listed;
  }

  /** Rejects all held calls. */
  private static final class Operator implements AutoCloseable {
    private final ServerProcess server;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().unstarted(this::decide);

    Operator(ServerProcess server) {
      this.server = server;
      thread.start();
    }

    private void decide() {
      try {
        while (!ended.await(10, TimeUnit.MILLISECONDS)) {
          for (JsonNode waiting : server.request("approvals.list", "{}").get("approvals")) {
            server.request("approvals.reject", "{\"callId\":%s}".formatted(waiting.get("callId")));
          }
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | AssertionError e) {
        if (ended.getCount() > 0 && server.isAlive()) {
          throw e;
        }
      }
    }

    @Override
    public void close() {
      ended.countDown();
    }
  }
}
