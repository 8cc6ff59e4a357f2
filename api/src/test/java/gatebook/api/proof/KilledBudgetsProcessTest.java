package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.SameDay;
import gatebook.api.node.WatchedNode;
import gatebook.events.Proof;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daily budget is exact, however often the server is killed. */
final class KilledBudgetsProcessTest {
  private static final int KILLS = Proof.rounds(2, 30);
  private static final int CALLERS = 4;
  private static final int BUDGET = 150;
  private static final long NANOS_MAX = Duration.ofMillis(300).toNanos();

  @TempDir private Path temp;

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void asManyCallsAreRecordedAsTheBudgetHas() throws Exception {
    SameDay.run(this::budgetIsExact);
  }

  private void budgetIsExact() throws Exception {
    Files.writeString(
        temp.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        limits: {quotas: [{name: all, shared: true, calls_per_day: %d}]}
        """
                .formatted(BUDGET)
            + NodeCaller.people());
    SplittableRandom random = Proof.random("killed budgets");
    for (int kill = 0; kill < KILLS; kill++) {
      try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
        CompletableFuture<Void> calls = callers(server);
        LockSupport.parkNanos(random.nextLong(NANOS_MAX));
        server.kill();
        calls.join();
      }
    }
    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      callers(server).join();

      assertThat(refused.get()).isGreaterThanOrEqualTo(CALLERS);
      assertThat(served.get()).isLessThanOrEqualTo(BUDGET);
      assertThat(server.request("quotas.list", "{}").at("/quotas/0/uses/0/usedToday").asInt())
          .isEqualTo(BUDGET);
      assertThat(recorded(server)).isEqualTo(BUDGET);
      server.stop();
    }
    http.shutdownNow();
  }

  /** How many calls the journal has that were not refused. */
  private static long recorded(ServerProcess server) {
    JsonNode calls = server.request("audit.calls", "{\"limit\":1000}").path("calls");
    return IntStream.range(0, calls.size())
        .filter(i -> !calls.path(i).path("status").asText().equals("refused"))
        .count();
  }

  /** Callers that call until the server refuses a call or dies. */
  private CompletableFuture<Void> callers(ServerProcess server) {
    return CompletableFuture.allOf(
        IntStream.range(0, CALLERS)
            .mapToObj(_ ->
                CompletableFuture.runAsync(
                    () -> call(server), task -> Thread.ofVirtual().start(task)))
            .toArray(CompletableFuture[]::new));
  }

  private void call(ServerProcess server) {
    try {
      while (true) {
        JsonNode response =
            NodeReply.response(
                http.send(
                        HttpRequest.newBuilder(server.mcp())
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + NodeCaller.JOE)
                            .POST(BodyPublishers.ofString(WatchedNode.toolCall("echo")))
                            .build(),
                        BodyHandlers.ofString())
                    .body());
        if (response.has("error")) {
          assertThat(response.at("/error/code").asInt()).isEqualTo(-32009);
          refused.incrementAndGet();
          return;
        }
        served.incrementAndGet();
      }
    } catch (IOException _) {
      // the server was killed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
