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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
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
 * Two daemons on one data directory are killed while they answer, the one that keeps the journal or
 * the other: whatever answer was read is in the journal, and the other one goes on.
 */
final class KilledDaemonProcessTest {
  private static final int KILLS_OF_ONE_LIFE = 2;
  private static final int BURST_MAX = 30;
  private static final int ANSWERS_MAX = 400;
  private static final int SERVICE_UNAVAILABLE = -32013;
  private static final String NO_ID = "null";

  private static final List<String> BODIES =
      List.of(
          "\"id\":%s,\"method\":\"version\"",
          "\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{}}",
          "\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"delete_all\",\"arguments\":{}}",
          "\"id\":%s,\"method\":\"no/such\"");

  /** Seldom: more than a hundred a second are only counted. */
  private static final int NO_CALL_ONE_IN = 50;

  @TempDir private Path temp;

  private final Queue<JsonNode> answers = new ConcurrentLinkedQueue<>();

  @Test
  void everyAnswerThatWasReadIsInTheJournalHoweverOftenADaemonIsKilled() {
    SplittableRandom random = Proof.random("daemons");
    int lives = Proof.rounds(2, 26);
    for (int life = 0; life < lives; life++) {
      live("life" + life, random);
      System.err.printf(
          "daemons: %d kills, %d answers read%n", (life + 1) * KILLS_OF_ONE_LIFE, answers.size());
    }
    check(Stored.read(temp.resolve("data"), Optional.empty(), Map.of()));
  }

  private void live(String name, SplittableRandom random) {
    try (Talker owner = new Talker(name + "-a", random.split())) {
      owner.awaitAnswers(1);
      try (Talker member = new Talker(name + "-b", random.split())) {
        member.awaitAnswers(1 + random.nextInt(ANSWERS_MAX));
        boolean ownerFirst = random.nextInt(3) > 0;
        Talker first = ownerFirst ? owner : member;
        Talker second = ownerFirst ? member : owner;
        first.kill();
        second.awaitAnswers(second.recorded.get() + 1 + random.nextInt(ANSWERS_MAX));
        second.kill();
      }
    }
  }

  private void check(Stored stored) {
    Map<String, UUID> calls = new HashMap<>();
    for (CallReceived received : stored.every(CallReceived.class)) {
      assertThat(calls.put(String.valueOf(received.rpcId()), received.callId())).isNull();
    }
    Map<UUID, List<CallEvent>> events =
        StreamSupport.stream(stored.calls().spliterator(), false)
            .collect(Collectors.toMap(call -> call.getFirst().callId(), call -> call));
    Map<String, Long> refused =
        stored.every(MessageRefused.class).stream()
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
      return; // those without an id are counted
    }
    UUID call = calls.get(id);
    if (call == null) {
      assertThat(refused).as("what is stored of %s", answer).containsEntry(id, 1L);
      return;
    }
    List<CallEvent> stored = events.getOrDefault(call, List.of());
    if (answer.has("result")) {
      assertThat(Stored.first(stored, CallAnswered.class)).as("%s", answer).isPresent();
    } else {
      assertThat(Stored.first(stored, ErrorTranslated.class).map(it -> it.told().code()))
          .as("%s", answer)
          .contains(code);
    }
  }

  /** Only one kind of answer says of itself that it is not. */
  private static boolean isRecorded(JsonNode answer) {
    return answer.at("/error/code").asInt() != SERVICE_UNAVAILABLE;
  }

  /** Sends some requests at a time, and reads their answers, until it is killed. */
  private final class Talker implements AutoCloseable {
    private final String name;
    private final SplittableRandom random;
    private final Daemon daemon = Daemon.start(temp);
    private final Thread talking = Thread.ofVirtual().unstarted(this::talk);
    private final AtomicInteger recorded = new AtomicInteger();
    private boolean unavailable;
    private int sent;

    Talker(String name, SplittableRandom random) {
      this.name = name;
      this.random = random;
      talking.start();
    }

    void awaitAnswers(int count) {
      await().pollInterval(Duration.ofMillis(1)).until(() -> recorded.get() >= count);
    }

    void kill() {
      daemon.kill();
      try {
        talking.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void talk() {
      try {
        while (burst()) {
          Thread.onSpinWait();
        }
      } catch (UncheckedIOException _) {
        return; // it was killed while it was written to
      }
    }

    private boolean burst() {
      int size = 1 + random.nextInt(BURST_MAX);
      for (int i = 0; i < size; i++) {
        daemon.send(message());
      }
      for (int i = 0; i < size; i++) {
        Optional<JsonNode> answer = daemon.receive();
        if (answer.isEmpty()) {
          return false;
        }
        answers.add(answer.get());
        unavailable = !isRecorded(answer.get());
        recorded.addAndGet(unavailable ? 0 : 1);
      }
      return true;
    }

    private String message() {
      String id = "\"%s-%d\"".formatted(name, sent++);
      if (!unavailable && random.nextInt(NO_CALL_ONE_IN) == 0) {
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
