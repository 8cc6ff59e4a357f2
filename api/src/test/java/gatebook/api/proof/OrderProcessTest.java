package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.CallAbandoned;
import gatebook.events.CallEvent;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.Proof;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of recording under a mixed load: the intent is stored before a call is forwarded, the
 * outcome before it is answered, and calls that a killed process left open are closed.
 */
@Order(1)
final class OrderProcessTest {
  private static final int KILLS_PER_JOURNAL = 10;
  private static final int CALLERS = Proof.rounds(16, 64);
  private static final int ANSWERS_MAX = Proof.rounds(100, 1_000);
  private static final int LEFT_HELD = 4;
  private static final int SLOW_MILLIS_MAX = 2_000;

  @TempDir private Path temp;

  private int kills;
  private int responseCount;
  private int arrivalCount;
  private int orphanedCount;
  private int abandonedCount;

  @Test
  void nothingUnrecordedIsForwardedOrAnsweredThroughKills() {
    SplittableRandom random = Proof.random("order");
    int all = Proof.rounds(3, 100);
    while (kills < all) {
      new KilledServerRun(kills).run(Math.min(KILLS_PER_JOURNAL, all - kills), random);
      System.err.printf(
          "order: %d kills, %d answers read, %d calls arrived upstream, %d orphaned,"
              + " %d abandoned%n",
          kills, responseCount, arrivalCount, orphanedCount, abandonedCount);
    }
    assertThat(orphanedCount).as("forwarded calls that were open at a kill").isPositive();
    assertThat(abandonedCount).as("held calls that were open at a kill").isPositive();
  }

  /** The runs of a server on one data directory. */
  private final class KilledServerRun {
    private final int number;
    private final Queue<CallerResponse> responses = new ConcurrentLinkedQueue<>();

    /** The calls left open by a run and not closed yet, because no later run lasted long enough. */
    private final Set<String> open = new HashSet<>();

    KilledServerRun(int number) {
      this.number = number;
    }

    void run(int times, SplittableRandom random) {
      try (RecordingUpstream upstream = new RecordingUpstream(OrderProcessTest::delayIfSlow)) {
        ServerDirectory serverDirectory =
            ServerDirectory.withAllGates(temp.resolve("journal" + number), upstream.url());
        for (int run = 0; run < times; run++) {
          boolean isLong = random.nextInt(4) > 0;
          runAndKill(serverDirectory, "run" + number + "-" + run, isLong, random);
          kills++;
          check(serverDirectory, upstream, isLong);
        }
        runToCleanStop(serverDirectory);
        check(serverDirectory, upstream, true);
        assertThat(open).as("calls open after a run without callers").isEmpty();
        count(serverDirectory, upstream);
      }
    }

    /**
     * Runs the server under load and kills it. A short run ends before calls left open by the
     * previous one may be closed.
     */
    private void runAndKill(
        ServerDirectory serverDirectory, String name, boolean isLong, SplittableRandom random) {
      try (ServerProcess server =
              ServerProcess.start(
                  serverDirectory.directory(), ServerProcess.StartOptions.DEFAULTS);
          ConcurrentCallers callers =
              new ConcurrentCallers(server.mcp(), TestCall.Kind::any, _ -> {}, responses::add)) {
        Operator operator = new Operator(server);
        int enough = responses.size() + random.nextInt(isLong ? ANSWERS_MAX : 10);
        callers.start(CALLERS, name, random.split());
        operator.start();
        if (isLong) {
          awaitClosed(server, open);
        }
        await().pollInterval(Duration.ofMillis(1)).until(() -> responses.size() >= enough);
        operator.end();
        server.kill();
        callers.join();
      }
    }

    private void runToCleanStop(ServerDirectory serverDirectory) {
      try (ServerProcess server =
          ServerProcess.start(serverDirectory.directory(), ServerProcess.StartOptions.DEFAULTS)) {
        awaitClosed(server, open);
        server.stop();
      }
    }

    private void check(
        ServerDirectory serverDirectory, RecordingUpstream upstream, boolean wasLong) {
      StoredEvents stored = StoredEvents.read(serverDirectory.data(), Optional.empty(), Map.of());
      RecordGuarantees guarantees = new RecordGuarantees(stored);
      guarantees.checkArrivals(upstream.arrivals());
      guarantees.checkResponses(responses);
      guarantees.checkSingleEnds();
      if (wasLong) {
        guarantees.checkClosed(open);
        open.clear();
      }
      for (List<CallEvent> call : stored.calls()) {
        if (StoredEvents.endings(call).isEmpty()) {
          open.add(StoredEvents.first(call, CallReceived.class).orElseThrow().correlationId());
        }
      }
      serverDirectory.verify();
    }

    private void count(ServerDirectory serverDirectory, RecordingUpstream upstream) {
      StoredEvents stored = StoredEvents.read(serverDirectory.data(), Optional.empty(), Map.of());
      responseCount += responses.size();
      arrivalCount += upstream.count();
      orphanedCount += stored.ofType(CallOrphaned.class).size();
      abandonedCount += stored.ofType(CallAbandoned.class).size();
    }
  }

  private static void awaitClosed(ServerProcess server, Set<String> markers) {
    for (String marker : markers) {
      await("the end of " + marker)
          .pollDelay(Duration.ZERO)
          .until(() -> server.status(marker), Set.of("orphaned", "abandoned")::contains);
    }
  }

  private static void delayIfSlow(RecordingUpstream.Arrival arrival) {
    if (arrival.tool().equals("slow")) {
      sleep(ThreadLocalRandom.current().nextInt(SLOW_MILLIS_MAX));
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Decides held calls, and always leaves some of them held. */
  private static final class Operator {
    private final ServerProcess server;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread = Thread.ofVirtual().unstarted(this::decide);

    Operator(ServerProcess server) {
      this.server = server;
    }

    void start() {
      thread.start();
    }

    private void decide() {
      while (!ended.get()) {
        JsonNode waiting = server.request("approvals.list", "{}").get("approvals");
        for (int i = LEFT_HELD; i < waiting.size() && !ended.get(); i++) {
          server.request(
              i % 2 == 0 ? "approvals.approve" : "approvals.reject",
              "{\"callId\":%s}".formatted(waiting.get(i).get("callId")));
        }
        sleep(20);
      }
    }

    void end() {
      ended.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void eachCallIsRecordedBeforeItsForwardingAndItsResponse() {
    int enough = Proof.rounds(75, 5_000);
    CompletableFuture<ServerProcess> running = new CompletableFuture<>();
    Queue<JsonNode> lookupsAtArrival = new ConcurrentLinkedQueue<>();
    Queue<LookedUpCall> lookupsAtResponse = new ConcurrentLinkedQueue<>();
    try (RecordingUpstream upstream =
            new RecordingUpstream(it -> lookupsAtArrival.add(running.join().lookup(it.marker())));
        ServerProcess server =
            ServerProcess.start(
                ServerDirectory.withAllGates(temp, upstream.url()).directory(),
                ServerProcess.StartOptions.DEFAULTS);
        ConcurrentCallers callers =
            new ConcurrentCallers(
                server.mcp(),
                OrderProcessTest::quickKind,
                _ -> {},
                it ->
                    lookupsAtResponse.add(
                        new LookedUpCall(it.call(), server.lookup(it.call().marker()))))) {
      running.complete(server);
      callers.start(16, "alive", Proof.random("order while running"));
      await().until(() -> lookupsAtResponse.size() >= enough);
      callers.join();
    }
    assertThat(lookupsAtArrival)
        .isNotEmpty()
        .allSatisfy(calls ->
            assertThat(names(calls)).startsWith("CallReceived", "CallAdmitted", "CallForwarded"));
    assertThat(lookupsAtResponse)
        .allSatisfy(it ->
            assertThat(it.calls.path(0).path("status").asText()).isIn(statuses(it.call.kind())));
    System.err.printf(
        "order while running: %d arrivals, %d answers%n",
        lookupsAtArrival.size(), lookupsAtResponse.size());
  }

  /** What a lookup showed of a call when its response was read. */
  private record LookedUpCall(TestCall call, JsonNode calls) {}

  private static Set<String> statuses(TestCall.Kind kind) {
    return switch (kind) {
      case HIDDEN, DENIED, NOT_PERMITTED -> Set.of("denied");
      case READ, PERMITTED, SLOW, HELD -> Set.of("answered");
      case FAILING -> Set.of("failed");
      case NOTIFICATION -> Set.of("forwarded", "answered");
    };
  }

  /** A kind of call that is answered without waiting. */
  private static TestCall.Kind quickKind(RandomGenerator random) {
    TestCall.Kind kind = TestCall.Kind.any(random);
    return kind == TestCall.Kind.HELD || kind == TestCall.Kind.SLOW ? TestCall.Kind.READ : kind;
  }

  private static List<String> names(JsonNode calls) {
    return StreamSupport.stream(calls.path(0).path("events").spliterator(), false)
        .map(event -> event.path("name").asText())
        .toList();
  }
}
