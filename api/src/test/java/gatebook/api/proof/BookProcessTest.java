package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
 * What operators are told of many calls, after the server was killed under load and its views were
 * made anew under load: each denial is counted once, and each call is found.
 */
@Order(1)
final class BookProcessTest {
  private static final int CALLERS = 64;
  private static final int KILLS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** By the code that is told, the gate that is counted. */
  private static final Map<Integer, String> GATES =
      Map.of(-32_015, "visibility", -32_014, "governance", -32_003, "policy", -32_007, "approval");

  @TempDir private Path temp;

  private final Set<Call> sent = ConcurrentHashMap.newKeySet();
  private final Queue<Telling> tellings = new ConcurrentLinkedQueue<>();

  @Test
  void everyDenialIsCountedOnceAndEveryCallIsFoundThroughKillsAndAReplay() throws Exception {
    SplittableRandom random = Proof.random("book");
    int calls = Proof.rounds(1_000, 100_000);
    try (Tool tool = new Tool(_ -> {})) {
      Place place = Place.with(temp.resolve("node"), tool.url());
      for (int life = 1; life <= KILLS; life++) {
        live(place, "life" + life, calls * life / (KILLS + 1), random);
      }
      try (Server server = Server.start(place.directory(), Server.How.PLAINLY)) {
        lastLife(server, calls, random);
        check(server);
        server.stop();
      }
      place.verify();
    }
  }

  /** Killed while calls are under way, and the views behind them. */
  private void live(Place place, String name, int enough, SplittableRandom random) {
    try (Server server = Server.start(place.directory(), Server.How.PLAINLY);
        Callers callers = callers(server);
        Operator _ = new Operator(server)) {
      callers.start(CALLERS, name, random.split());
      until(enough);
      server.kill();
      callers.join();
    }
  }

  /** All views are made anew while calls go on. */
  private void lastLife(Server server, int calls, SplittableRandom random) {
    try (Callers callers = callers(server);
        Operator _ = new Operator(server)) {
      callers.start(CALLERS, "last", random.split());
      for (String view : List.of("calls", "denials", "faults", "approvals")) {
        server.ask("audit.replay", "{\"projection\":\"%s\"}".formatted(view));
      }
      until(calls);
      callers.join();
    }
    await().atMost(PATIENCE).until(() -> replaying(server), List.of()::equals);
  }

  private Callers callers(Server server) {
    return new Callers(server.mcp(), BookProcessTest::kind, sent::add, tellings::add);
  }

  /** Nothing waits long, so that all is over when the callers are. */
  private static Call.Kind kind(RandomGenerator random) {
    Call.Kind kind = Call.Kind.any(random);
    return kind == Call.Kind.SLOW ? Call.Kind.READ : kind;
  }

  private void until(int enough) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> tellings.size() >= enough);
  }

  private static List<String> replaying(Server server) {
    List<String> replaying = new ArrayList<>();
    for (JsonNode view : server.ask("audit.projections", "{}").get("projections")) {
      if (view.has("replay")) {
        replaying.add(view.get("name").asText());
      }
    }
    return replaying;
  }

  private void check(Server server) throws Exception {
    Map<String, JsonNode> found = lookedUp(server);
    Map<String, Long> denials = new TreeMap<>();
    GATES.values().forEach(gate -> denials.put(gate, 0L));
    tellings.forEach(telling -> {
      JsonNode calls = Objects.requireNonNull(found.remove(telling.call().marker()), "looked up");
      assertThat(calls).as("calls known as %s", telling.call()).hasSize(1);
      String gate = telling.isAcknowledgement() ? null : gate(telling);
      assertThat(calls.get(0).path("gate").asText(null)).as("%s", telling).isEqualTo(gate);
      if (gate != null) {
        denials.merge(gate, 1L, Long::sum);
      }
    });
    int told = tellings.size();
    int untold = 0;
    for (JsonNode calls : found.values()) { // nobody read an answer: it may or may not be there
      for (JsonNode call : calls) {
        untold++;
        if (call.path("status").asText().equals("denied")) {
          denials.merge(call.path("gate").asText(), 1L, Long::sum);
        }
      }
    }
    System.err.printf(
        "book: %d calls sent, %d answers read, %d more recorded, denials %s%n",
        sent.size(), told, untold, denials);
    assertThat(counted(server)).isEqualTo(denials);
    assertThat(listed(server)).isEqualTo(told + untold);
    for (JsonNode view : server.ask("audit.projections", "{}").get("projections")) {
      assertThat(view.path("parked").asLong()).as("%s", view).isZero();
    }
  }

  private static @Nullable String gate(Telling telling) {
    return GATES.get(telling.json().path("error").path("code").asInt());
  }

  private Map<String, JsonNode> lookedUp(Server server) throws Exception {
    Map<String, JsonNode> found = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS / 2)) {
      List<Future<?>> asked = new ArrayList<>();
      for (Call call : sent) {
        asked.add(threads.submit(() -> found.put(call.marker(), server.lookup(call.marker()))));
      }
      for (Future<?> each : asked) {
        each.get();
      }
    }
    return found;
  }

  private static Map<String, Long> counted(Server server) {
    JsonNode denials = server.ask("audit.denials", "{}");
    Map<String, Long> counted = new TreeMap<>();
    for (JsonNode group : denials.get("groups")) {
      counted.put(group.get("gate").asText(), group.get("count").asLong());
    }
    assertThat(denials.get("total").asLong())
        .isEqualTo(counted.values().stream().mapToLong(Long::longValue).sum());
    return counted;
  }

  private static int listed(Server server) {
    int listed = 0;
    String cursor = "";
    do {
      JsonNode page =
          server.ask(
              "audit.calls",
              "{\"limit\":1000%s}"
                  .formatted(cursor.isEmpty() ? "" : ",\"cursor\":\"%s\"".formatted(cursor)));
      listed += page.get("calls").size();
      cursor = page.path("cursor").asText("");
    } while (!cursor.isEmpty());
    return listed;
  }

  /** Turns away whatever waits. */
  private static final class Operator implements AutoCloseable {
    private final Server server;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().unstarted(this::decide);

    Operator(Server server) {
      this.server = server;
      thread.start();
    }

    private void decide() {
      try {
        while (!ended.await(10, TimeUnit.MILLISECONDS)) {
          for (JsonNode waiting : server.ask("approvals.list", "{}").get("approvals")) {
            server.ask("approvals.reject", "{\"callId\":%s}".formatted(waiting.get("callId")));
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
