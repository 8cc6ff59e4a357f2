package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.stdio.Daemon;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.MessageRefused;
import gatebook.events.Proof;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two daemons on one data directory are killed while they answer, in either order, the journal's
 * owner or the other. Every response that was read is in the journal, and the other daemon
 * continues.
 */
final class KilledDaemonProcessTest {
  private static final int KILLS_PER_ROUND = 2;
  private static final int BURST_MAX = 30;
  private static final int ANSWERS_MAX = Proof.rounds(150, 400);
  private static final int SERVICE_UNAVAILABLE = -32013;
  private static final int INVALID_REQUEST = -32600;
  private static final int PARSE_ERROR = -32700;
  private static final String NO_ID = "null";

  private static final List<String> BODIES =
      List.of(
          """
          "id":%s,"method":"version"\
          """,
          """
          "id":%s,"method":"tools/call","params":{"name":"echo","arguments":{}}\
          """,
          """
          "id":%s,"method":"tools/call","params":{"name":"delete_all","arguments":{}}\
          """,
          """
          "id":%s,"method":"no/such"\
          """);

  /** Rare: more than a hundred refusals a second are only counted. */
  private static final int INVALID_ONE_IN = 50;

  @TempDir private Path temp;

  private final Queue<JsonNode> answers = new ConcurrentLinkedQueue<>();

  @Test
  void everyResponseIsInTheJournalThroughKills() {
    SplittableRandom random = Proof.random("daemons");
    int rounds = Proof.rounds(2, 26);
    for (int round = 0; round < rounds; round++) {
      killBoth("round" + round, random);
      System.err.printf(
          "daemons: %d kills, %d answers read%n", (round + 1) * KILLS_PER_ROUND, answers.size());
    }
    check(StoredEvents.read(temp.resolve("data"), Optional.empty(), Map.of()));
  }

  private void killBoth(String name, SplittableRandom random) {
    try (DaemonCaller owner = new DaemonCaller(name + "-a", random.split())) {
      owner.awaitAnswers(1);
      try (DaemonCaller member = new DaemonCaller(name + "-b", random.split())) {
        member.awaitAnswers(1 + random.nextInt(ANSWERS_MAX));
        boolean ownerFirst = random.nextInt(3) > 0;
        DaemonCaller first = ownerFirst ? owner : member;
        DaemonCaller second = ownerFirst ? member : owner;
        first.kill();
        second.awaitAnswers(second.recorded.get() + 1 + random.nextInt(ANSWERS_MAX));
        second.kill();
      }
    }
  }

  private void check(StoredEvents storedEvents) {
    Map<String, UUID> calls = new HashMap<>();
    for (CallReceived received : storedEvents.ofType(CallReceived.class)) {
      assertThat(calls.put(String.valueOf(received.rpcId()), received.callId())).isNull();
    }
    Map<UUID, List<CallEvent>> events =
        StreamSupport.stream(storedEvents.calls().spliterator(), false)
            .collect(Collectors.toMap(call -> call.getFirst().callId(), call -> call));
    Map<String, Long> refused =
        storedEvents.ofType(MessageRefused.class).stream()
            .collect(
                Collectors.groupingBy(it -> String.valueOf(it.rpcId()), Collectors.counting()));
    for (JsonNode answer : answers) {
      check(answer, calls, events, refused);
    }
    long withoutId = answers.stream().filter(it -> it.get("id").isNull() && isRecorded(it)).count();
    assertThat(refused.getOrDefault(NO_ID, 0L)).isGreaterThanOrEqualTo(withoutId);
  }

  private static void check(
      JsonNode answer,
      Map<String, UUID> calls,
      Map<UUID, List<CallEvent>> events,
      Map<String, Long> refused) {
    String id = answer.get("id").toString();
    int code = answer.at("/error/code").asInt();
    if (!isRecorded(answer) || id.equals(NO_ID)) {
      return; // responses without an id are counted
    }
    UUID call = calls.get(id);
    if (call == null) {
      assertThat(refused).as("what is stored of %s", answer).containsEntry(id, 1L);
      return;
    }
    List<CallEvent> stored = events.getOrDefault(call, List.of());
    if (answer.has("result")) {
      assertThat(StoredEvents.first(stored, CallAnswered.class)).as("%s", answer).isPresent();
    } else {
      assertThat(StoredEvents.first(stored, ErrorTranslated.class).map(it -> it.told().code()))
          .as("%s", answer)
          .contains(code);
    }
  }

  /** Whether the response is recorded; only one kind of response is not, and says so. */
  private static boolean isRecorded(JsonNode answer) {
    return answer.at("/error/code").asInt() != SERVICE_UNAVAILABLE;
  }

  /** Whether the message was no call. */
  private static boolean isRefusal(JsonNode answer) {
    int code = answer.at("/error/code").asInt();
    return code == INVALID_REQUEST || code == PARSE_ERROR;
  }

  /** Sends bursts of requests and reads their responses, until it is killed. */
  private final class DaemonCaller implements AutoCloseable {
    private final String name;
    private final SplittableRandom random;
    private final Daemon daemon = Daemon.start(temp);
    private final Thread thread = Thread.ofVirtual().unstarted(this::exchange);
    private final AtomicInteger recorded = new AtomicInteger();
    private boolean unavailable;
    private int sent;

    /** Refusals of the last burst: when the journal is away, they are only counted. */
    private List<JsonNode> refusedBefore = List.of();

    DaemonCaller(String name, SplittableRandom random) {
      this.name = name;
      this.random = random;
      thread.start();
    }

    void awaitAnswers(int count) {
      await().pollInterval(Duration.ofMillis(1)).until(() -> recorded.get() >= count);
    }

    void kill() {
      daemon.kill();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void exchange() {
      try {
        while (burst()) {
          Thread.onSpinWait();
        }
      } catch (UncheckedIOException _) {
        return; // killed during a write
      }
    }

    private boolean burst() {
      int size = unavailable ? 1 : 1 + random.nextInt(BURST_MAX);
      for (int i = 0; i < size; i++) {
        daemon.send(message());
      }
      boolean wasUnavailable = unavailable;
      List<JsonNode> refused = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Optional<JsonNode> answer = daemon.receive();
        if (answer.isEmpty()) {
          return false;
        }
        (isRefusal(answer.get()) ? refused : answers).add(answer.get());
        unavailable = !isRecorded(answer.get());
        wasUnavailable |= unavailable;
        recorded.addAndGet(unavailable ? 0 : 1);
      }
      if (!wasUnavailable) {
        answers.addAll(refusedBefore);
      }
      refusedBefore = wasUnavailable ? List.of() : refused;
      return true;
    }

    private String message() {
      String id = "\"%s-%d\"".formatted(name, sent++);
      if (!unavailable && random.nextInt(INVALID_ONE_IN) == 0) {
        return random.nextBoolean() ? "{\"no message\"" : "{\"id\":%s}".formatted(id);
      }
      return "{\"jsonrpc\":\"2.0\","
          + BODIES.get(random.nextInt(BODIES.size())).formatted(id)
          + "}";
    }

    @Override
    public void close() {
      daemon.close();
    }
  }
}
