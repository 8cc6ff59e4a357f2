package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.CallAbandoned;
import gatebook.events.CallEvent;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
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
 * Nothing is forwarded before its intent is stored, nothing is told before it is recorded, and what
 * a process left open is closed: with an upstream that notes what arrives, under a mixed load.
 */
@Order(1)
final class OrderProcessTest {
  private static final int KILLS_OF_ONE_JOURNAL = 10;
  private static final int CALLERS = 64;
  private static final int ANSWERS_MAX = Proof.rounds(200, 1_000);
  private static final int LEFT_HELD = 4;
  private static final int SLOW_MILLIS_MAX = 2_000;

  @TempDir private Path temp;

  private int kills;
  private int told;
  private int arrived;
  private int orphaned;
  private int abandoned;

  @Test
  void whatArrivedOrWasToldIsStoredAndWhatWasOpenIsClosedHoweverOftenTheServerIsKilled() {
    SplittableRandom random = Proof.random("order");
    int all = Proof.rounds(4, 100);
    while (kills < all) {
      new Journal(kills).killed(Math.min(KILLS_OF_ONE_JOURNAL, all - kills), random);
      System.err.printf(
          "order: %d kills, %d answers read, %d calls arrived upstream, %d orphaned, %d"
              + " abandoned%n",
          kills, told, arrived, orphaned, abandoned);
    }
    assertThat(orphaned).as("forwarded calls that were open at a kill").isPositive();
    assertThat(abandoned).as("held calls that were open at a kill").isPositive();
  }

  /** One data directory, through several lives of its server. */
  private final class Journal {
    private final int number;
    private final Queue<Telling> tellings = new ConcurrentLinkedQueue<>();

    /** What a life left open and no longer life has had time to close. */
    private final Set<String> open = new HashSet<>();

    Journal(int number) {
      this.number = number;
    }

    void killed(int times, SplittableRandom random) {
      try (Tool tool = new Tool(OrderProcessTest::work)) {
        Place place = Place.with(temp.resolve("journal" + number), tool.url());
        for (int life = 0; life < times; life++) {
          boolean isLong = random.nextInt(4) > 0;
          live(place, "life" + number + "-" + life, isLong, random);
          kills++;
          check(place, tool, isLong);
        }
        lastLife(place);
        check(place, tool, true);
        assertThat(open).as("calls open after a life without callers").isEmpty();
        count(place, tool);
      }
    }

    /** A short one is over before what the life before left open may be closed. */
    private void live(Place place, String name, boolean isLong, SplittableRandom random) {
      try (Server server = Server.start(place.directory(), Server.How.PLAINLY);
          Callers callers = new Callers(server.mcp(), Call.Kind::any, _ -> {}, tellings::add)) {
        Operator operator = new Operator(server);
        int enough = tellings.size() + random.nextInt(isLong ? ANSWERS_MAX : 10);
        callers.start(CALLERS, name, random.split());
        operator.start();
        if (isLong) {
          awaitClosed(server, open);
        }
        await().pollInterval(Duration.ofMillis(1)).until(() -> tellings.size() >= enough);
        operator.end();
        server.kill();
        callers.join();
      }
    }

    private void lastLife(Place place) {
      try (Server server = Server.start(place.directory(), Server.How.PLAINLY)) {
        awaitClosed(server, open);
        server.stop();
      }
    }

    private void check(Place place, Tool tool, boolean wasLong) {
      Stored stored = Stored.read(place.data(), Optional.empty(), Map.of());
      Promises promises = new Promises(stored, place.data());
      promises.arrived(tool.arrivals());
      promises.told(tellings);
      promises.endedOnce();
      if (wasLong) {
        promises.closed(open);
        open.clear();
      }
      for (List<CallEvent> call : stored.calls()) {
        if (Stored.endings(call).isEmpty()) {
          open.add(Stored.first(call, CallReceived.class).orElseThrow().correlationId());
        }
      }
      place.verify();
    }

    private void count(Place place, Tool tool) {
      Stored stored = Stored.read(place.data(), Optional.empty(), Map.of());
      told += tellings.size();
      arrived += tool.count();
      orphaned += stored.every(CallOrphaned.class).size();
      abandoned += stored.every(CallAbandoned.class).size();
    }
  }

  private static void awaitClosed(Server server, Set<String> markers) {
    for (String marker : markers) {
      await("the end of " + marker)
          .pollDelay(Duration.ZERO)
          .until(() -> server.status(marker), Set.of("orphaned", "abandoned")::contains);
    }
  }

  private static void work(Tool.Arrival arrival) {
    if (arrival.tool().equals("slow")) {
      pause(ThreadLocalRandom.current().nextInt(SLOW_MILLIS_MAX));
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Decides what waits, and always leaves some waiting. */
  private static final class Operator {
    private final Server server;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread = Thread.ofVirtual().unstarted(this::decide);

    Operator(Server server) {
      this.server = server;
    }

    void start() {
      thread.start();
    }

    private void decide() {
      while (!ended.get()) {
        JsonNode waiting = server.ask("approvals.list", "{}").get("approvals");
        for (int i = LEFT_HELD; i < waiting.size() && !ended.get(); i++) {
          server.ask(
              i % 2 == 0 ? "approvals.approve" : "approvals.reject",
              "{\"callId\":%s}".formatted(waiting.get(i).get("callId")));
        }
        pause(20);
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
  void atTheMomentACallArrivesAndAtTheMomentItIsToldTheJournalKnows() {
    int enough = Proof.rounds(150, 5_000);
    CompletableFuture<Server> running = new CompletableFuture<>();
    Queue<JsonNode> arrived = new ConcurrentLinkedQueue<>();
    Queue<Told> told = new ConcurrentLinkedQueue<>();
    try (Tool tool = new Tool(it -> arrived.add(running.join().lookup(it.marker())));
        Server server = Server.start(Place.with(temp, tool.url()).directory(), Server.How.PLAINLY);
        Callers callers =
            new Callers(
                server.mcp(),
                OrderProcessTest::soon,
                _ -> {},
                it -> told.add(new Told(it.call(), server.lookup(it.call().marker()))))) {
      running.complete(server);
      callers.start(16, "alive", Proof.random("order in life"));
      await().until(() -> told.size() >= enough);
      callers.join();
    }
    assertThat(arrived)
        .isNotEmpty()
        .allSatisfy(calls ->
            assertThat(names(calls)).startsWith("CallReceived", "CallAdmitted", "CallForwarded"));
    assertThat(told)
        .allSatisfy(it ->
            assertThat(it.calls.path(0).path("status").asText()).isIn(statuses(it.call.kind())));
    System.err.printf("order in life: %d arrivals, %d answers%n", arrived.size(), told.size());
  }

  /** What the journal knew of a call when its answer was read. */
  private record Told(Call call, JsonNode calls) {}

  private static Set<String> statuses(Call.Kind kind) {
    return switch (kind) {
      case HIDDEN, DENIED, NOT_PERMITTED -> Set.of("denied");
      case READ, PERMITTED, SLOW, HELD -> Set.of("answered");
      case FAILING -> Set.of("failed");
      case NOTIFICATION -> Set.of("forwarded", "answered");
    };
  }

  /** Of those that are told without waiting for anybody. */
  private static Call.Kind soon(RandomGenerator random) {
    Call.Kind kind = Call.Kind.any(random);
    return kind == Call.Kind.HELD || kind == Call.Kind.SLOW ? Call.Kind.READ : kind;
  }

  private static List<String> names(JsonNode calls) {
    return StreamSupport.stream(calls.path(0).path("events").spliterator(), false)
        .map(event -> event.path("name").asText())
        .toList();
  }
}
