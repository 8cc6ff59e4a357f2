package gatebook.api.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionFact.ExecutionEnded;
import gatebook.api.flow.task.ExecutionFact.TaskEnded;
import gatebook.api.flow.task.ExecutionFact.TaskStarted;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.gateway.message.LosableConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.TestReader;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.tree.TreeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The response of an execution as a stream of its progress. */
final class FlowExchangeTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
  private static final Reply RESPONSE = new Reply("c-1", 200, RESULT.getBytes(UTF_8));
  private static final Reply REFUSAL =
      new Reply(
          "c-1", 200, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32003}}".getBytes(UTF_8));
  private static final String FIRST = "data: " + RESULT + "\n\n";
  private static final String START =
      "data: {\"type\":\"task_start\",\"task_id\":\"k\",\"status\":\"in_progress\","
          + "\"timestamp\":\"2026-10-01T12:00:00Z\"}\n\n";
  private static final ExecutionEnded END =
      new ExecutionEnded(TreeStatus.COMPLETED, List.of(), NOON);
  private static final TaskStarted STARTED = new TaskStarted("k", NOON);
  private static final Duration LONG = Duration.ofHours(1);

  private final OpenStreams streams = new OpenStreams(() -> GatewayLimits.DEFAULT);
  private final LosableConnection connection = new LosableConnection();

  @AfterEach
  void stop() {
    streams.close();
  }

  @Test
  void eventsBeforeTheResponseWaitForIt() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    listener.on(STARTED, 0);

    TestReader reader = read(exchange);
    assertThat(reader.text()).isEqualTo(FIRST + START);
    listener.on(STARTED, 0);
    assertThat(reader.text()).isEqualTo(FIRST + START + START);
    assertThat(reader.isEnded()).isFalse();
  }

  @Test
  void executionMayEndBeforeTheResponse() {
    FlowExchange exchange = exchange(LONG);
    exchange.stream("r", () -> NOON).on(END, 1);

    TestReader reader = read(exchange);
    assertThat(reader.text())
        .isEqualTo(
            FIRST
                + "data: {\"type\":\"final\",\"task_id\":\"r\",\"status\":\"completed\","
                + "\"timestamp\":\"2026-10-01T12:00:00Z\",\"final\":true,"
                + "\"blocked_tasks\":[]}\n\n"
                + "data: {\"type\":\"stream_end\",\"task_id\":\"r\"}\n\n");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void refusalIsNoStream() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);

    assertThat(exchange.answer(REFUSAL)).isEmpty();
    listener.on(END, 1);
    assertThat(exchange(LONG).answer(RESPONSE)).isEmpty();
    assertThat(exchange(LONG).answer(Reply.none("c-1"))).isEmpty();
  }

  @Test
  void lineEndsInAResultAreBlanks() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    TestReader reader = read(exchange);

    listener.on(new TaskEnded(FlowTasks.completed(FlowTasks.draft("k"), "{\r\n\"a\":1}")), 1);
    assertThat(reader.text()).contains("\"result\":{  \"a\":1}}\n\n");
  }

  @Test
  void tooMuchBeforeTheResponseEndsTheStream() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    listener.on(STARTED, 0);
    listener.on(completed("k", FlowExchange.WAITING_BYTES_MAX), 0);
    listener.on(END, 1);

    TestReader reader = read(exchange);
    assertThat(reader.text()).isEqualTo(FIRST + START);
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void readerWhoReadsTooSlowlyIsDisconnected() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    TestReader reader = new TestReader(exchange.answer(RESPONSE).orElseThrow(), 1);
    listener.on(completed("k", FlowExchange.KIND.queueBytesMax() / 2), 0);
    assertThat(connection.isClosed()).isFalse();
    listener.on(completed("l", FlowExchange.KIND.queueBytesMax() / 2), 0);
    listener.on(END, 1);

    assertThat(connection.isClosed()).isTrue();
    assertThat(reader.text()).isEqualTo(FIRST);
    assertThat(reader.isEnded()).isFalse();
  }

  @Test
  void longStreamEndsWithATimeout() {
    FlowExchange exchange = exchange(Duration.ofMillis(10));
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    TestReader reader = read(exchange);
    await().until(reader::isEnded);

    listener.on(END, 1);
    assertThat(reader.text())
        .isEqualTo(
            FIRST
                + "data: {\"type\":\"timeout\",\"task_id\":\"r\",\"status\":\"in_progress\","
                + "\"timestamp\":\"2026-10-01T12:00:00Z\",\"progress\":0.0,\"message\":"
                + "\"The stream has ended, and the execution goes on\"}\n\n");
  }

  @Test
  void failureToTellIsNoneOfTheExecution() {
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("r", () -> NOON);
    exchange.answer(RESPONSE).orElseThrow().subscribe(new FailingReader());

    listener.on(STARTED, 0);
    listener.on(END, 1);
    assertThat(connection.isWatched()).isFalse();
  }

  @RepeatedTest(40)
  void eventsKeepTheirOrderAndEndOnce() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    FlowExchange exchange = exchange(LONG);
    ExecutionListener listener = exchange.stream("0", () -> NOON);
    List<List<ExecutionFact>> perThread = new ArrayList<>(List.of(facts(0, 20), facts(20, 50)));
    perThread.add(facts(50, 51 + random.nextInt(100)));
    Collections.shuffle(perThread, random);

    List<CompletableFuture<Void>> tellers =
        perThread.stream()
            .map(facts -> inThread(() -> facts.forEach(it -> listener.on(it, 0.5))))
            .toList();
    CompletableFuture<Void> ended =
        CompletableFuture.allOf(tellers.toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> {
              listener.on(END, 1);
              listener.on(END, 1);
            });
    TestReader reader = read(exchange);
    ended.join();

    List<String> lines = List.of(reader.text().split("\n\n"));
    int tasks = perThread.stream().mapToInt(facts -> facts.size() / 2).sum();
    assertThat(lines).as("seed %d", seed).hasSize(1 + 3 * tasks + 2);
    assertThat(lines.getFirst() + "\n\n").isEqualTo(FIRST);
    assertThat(lines.subList(lines.size() - 2, lines.size()).toString())
        .contains("\"type\":\"final\"", "\"type\":\"stream_end\"");
    assertThat(lines).filteredOn(line -> line.contains("\"final\":true")).hasSize(1);
    IntStream.range(0, tasks)
        .forEach(task ->
            assertThat(position(lines, "task_start", task))
                .isLessThan(position(lines, "task_completed", task)));
    assertThat(reader.isEnded()).isTrue();
  }

  private static int position(List<String> lines, String type, int task) {
    String beginning = "data: {\"type\":\"%s\",\"task_id\":\"%d\"".formatted(type, task);
    return IntStream.range(0, lines.size())
        .filter(line -> lines.get(line).startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  /** The facts of some tasks, which all start before any ends. */
  private static List<ExecutionFact> facts(int first, int end) {
    List<String> ids = IntStream.range(first, end).mapToObj(Integer::toString).toList();
    return Stream.<ExecutionFact>concat(
            ids.stream().map(id -> new TaskStarted(id, NOON)),
            ids.stream().map(id -> completed(id, 0)))
        .toList();
  }

  private static CompletableFuture<Void> inThread(Runnable work) {
    return CompletableFuture.runAsync(work, it -> Thread.ofVirtual().start(it));
  }

  private static TaskEnded completed(String id, long resultChars) {
    String result = "{\"a\":\"%s\"}".formatted("x".repeat((int) resultChars));
    return new TaskEnded(FlowTasks.completed(FlowTasks.draft(id), result));
  }

  private FlowExchange exchange(Duration streamMax) {
    return new FlowExchange(streams, connection, streamMax);
  }

  private static TestReader read(FlowExchange exchange) {
    return new TestReader(exchange.answer(RESPONSE).orElseThrow(), Long.MAX_VALUE);
  }
}
