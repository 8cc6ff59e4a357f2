package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.proof.TreeCallers.FlowClient;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.Proof;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskFailed;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trees of tasks through kills of the server at random places: no completed task is lost or runs
 * again, none runs for ever, and what was interrupted says so.
 */
@Order(1)
final class KilledTreesProcessTest {
  private static final int KILLS_PER_JOURNAL = Proof.rounds(4, 10);
  private static final int CALLERS = 3;
  private static final int ARRIVALS_MAX = Proof.rounds(20, 500);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private Path temp;

  private int kills;
  private long completed;
  private long failed;
  private long interruptions;

  @Test
  void treesEndOnceThroughKills() throws Exception {
    SplittableRandom random = Proof.random("killed trees");
    int all = Proof.rounds(4, 100);
    while (kills < all) {
      new KilledRuns(temp.resolve("journal" + kills)).run(KILLS_PER_JOURNAL, random);
      System.err.printf(
          "killed trees: %d kills, %d tasks completed, %d failed, %d interruptions%n",
          kills, completed, failed, interruptions);
    }
    assertThat(interruptions).as("tasks that ran at a kill").isPositive();
  }

  /** The runs of a server on one data directory. */
  private final class KilledRuns {
    private final Path directory;
    private final TreeCallers callers = new TreeCallers();

    /** The trees that ran at the last kills, until a run lasts long enough for their ends. */
    private final Set<UUID> open = new HashSet<>();

    KilledRuns(Path directory) {
      this.directory = directory;
    }

    void run(int times, SplittableRandom random) throws Exception {
      try (RecordingUpstream upstream = new RecordingUpstream(_ -> delay())) {
        ServerDirectory serverDirectory = ServerDirectory.withAllGates(directory, upstream.url());
        for (int run = 0; run < times; run++) {
          boolean isLong = random.nextInt(4) > 0;
          runAndKill(upstream, isLong, random);
          kills++;
          var _ = check(serverDirectory, upstream, isLong);
        }
        runToCleanStop();
        StoredEvents stored = check(serverDirectory, upstream, true);
        checkAllEnded(stored);
        serverDirectory.verify();
      }
    }

    /** A short run is killed while the trees of the run before it are taken over. */
    private void runAndKill(RecordingUpstream upstream, boolean isLong, SplittableRandom random)
        throws InterruptedException {
      try (ServerProcess server = start()) {
        callers.start(CALLERS, server.flow(), random.split());
        if (isLong) {
          awaitEnded(server);
        }
        int enough = upstream.count() + random.nextInt(isLong ? ARRIVALS_MAX : 10);
        await()
            .atMost(TIMEOUT)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> upstream.count() >= enough);
        server.kill();
        callers.join();
      }
    }

    private void runToCleanStop() throws Exception {
      try (ServerProcess server = start()) {
        awaitEnded(server);
        checkResults(server);
        Map<String, JsonNode> views = views(server);
        server.request("audit.replay", "{\"projection\":\"trees\"}");
        await().atMost(TIMEOUT).until(() -> isRebuilt(server));
        assertThat(views(server)).isEqualTo(views);
        server.stop();
      }
    }

    private ServerProcess start() {
      return ServerProcess.start(directory, ServerProcess.StartOptions.DEFAULTS);
    }

    private void awaitEnded(ServerProcess server) {
      for (UUID tree : open) {
        await("the end of the tree " + tree)
            .atMost(TIMEOUT)
            .pollDelay(Duration.ZERO)
            .until(() -> tree(server, tree).path("execution").isNull());
      }
    }

    /** What a caller was told of a completed task is still true. */
    private void checkResults(ServerProcess server) throws IOException, InterruptedException {
      Map<String, String> results = new HashMap<>();
      try (HttpClient http = HttpClient.newHttpClient()) {
        FlowClient flow = new FlowClient(http, server.flow());
        for (String root : callers.trees().keySet()) {
          String params = "{\"task_id\":\"%s\"}".formatted(root);
          TreeCallers.see(flow.request("tasks.tree", params).path("result"), results);
        }
      }
      assertThat(results).containsAllEntriesOf(callers.seenResults());
    }

    private StoredEvents check(
        ServerDirectory serverDirectory, RecordingUpstream upstream, boolean wasLong) {
      StoredEvents stored = StoredEvents.read(serverDirectory.data(), Optional.empty(), Map.of());
      TreeGuarantees guarantees = TreeGuarantees.of(stored);
      guarantees.checkTransitions();
      guarantees.checkArrivals(upstream.arrivals());
      guarantees.checkRetries(
          stored.ofType(CallForwarded.class).stream()
              .map(CallForwarded::callId)
              .collect(Collectors.toSet()));
      guarantees.checkCompleted(callers.seenResults().keySet());
      if (wasLong) {
        guarantees.checkEnded(open);
        open.clear();
      }
      open.addAll(guarantees.open());
      return stored;
    }

    private void checkAllEnded(StoredEvents stored) {
      TreeGuarantees guarantees = TreeGuarantees.of(stored);
      guarantees.checkEnded(guarantees.all());
      for (List<CallEvent> call : stored.calls()) {
        if (StoredEvents.first(call, CallReceived.class).isPresent()) {
          assertThat(StoredEvents.endings(call)).as("the end of %s", call).hasSize(1);
        }
      }
      completed += guarantees.count(TreeTaskCompleted.class);
      failed += guarantees.count(TreeTaskFailed.class);
      interruptions += guarantees.interruptions();
    }
  }

  private static JsonNode tree(ServerProcess server, UUID tree) {
    return server.request("audit.lookup", "{\"id\":\"%s\"}".formatted(tree)).at("/trees/0");
  }

  /** What operators see of each tree, with its tasks. */
  private static Map<String, JsonNode> views(ServerProcess server) {
    Map<String, JsonNode> views = new HashMap<>();
    String cursor = "";
    do {
      JsonNode page = server.request("audit.trees", "{\"limit\":1000%s}".formatted(cursor));
      for (JsonNode summary : page.get("trees")) {
        String id = summary.get("treeId").asText();
        views.put(id, tree(server, UUID.fromString(id)));
      }
      cursor = page.has("cursor") ? ",\"cursor\":" + page.get("cursor") : "";
    } while (!cursor.isEmpty());
    return views;
  }

  private static boolean isRebuilt(ServerProcess server) {
    List<JsonNode> views = new ArrayList<>();
    server.request("audit.projections", "{}").get("projections").forEach(views::add);
    return views.stream().noneMatch(view -> view.has("replay"));
  }

  private static void delay() {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
