package gatebook.api.a2a.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.LosableConnection;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.TestReader;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The response to a request of A2A as a stream about a task. */
final class A2aExchangeTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final byte[] RESPONSE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}".getBytes(UTF_8);
  private static final byte[] REFUSAL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32004}}".getBytes(UTF_8);
  private static final String FIRST = "data: " + new String(RESPONSE, UTF_8) + "\n\n";
  private static final String ERROR = "event: error\ndata: " + new String(REFUSAL, UTF_8) + "\n\n";
  private static final TaskCreated TASK =
      new TaskCreated(new UUID(1, 2), "t", Form.TASK, NOON, 60_000);

  private final OpenStreams streams = new OpenStreams("test-streams");
  private final LosableConnection connection = new LosableConnection();
  private final ChangingTask task = new ChangingTask();
  private final A2aExchange exchange = exchange(3_600_000);

  @AfterEach
  void stop() {
    streams.close();
  }

  @Test
  void streamEndsWithTheTask() {
    TestReader reader = read(new TaskState.Waiting());
    assertThat(reader.text()).isEqualTo(FIRST);

    task.change(known(new TaskState.Working(), NOON));
    assertThat(reader.text()).isEqualTo(FIRST + item("working", false));
    assertThat(reader.isEnded()).isFalse();
    task.change(known(new CallOutcome.Cancelled(), NOON));
    assertThat(reader.text()).isEqualTo(FIRST + item("working", false) + item("canceled", true));
    assertThat(reader.isEnded()).isTrue();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void stateThatWasMissedIsToldNevertheless() {
    TestReader reader = read(new TaskState.Waiting());

    task.change(known(new CallOutcome.Cancelled(), NOON));
    assertThat(reader.text()).isEqualTo(FIRST + item("working", false) + item("canceled", true));
  }

  @Test
  void taskThatNeverWorkedIsNotToldToHaveWorked() {
    TestReader reader = read(new TaskState.Waiting());

    task.change(known(new CallOutcome.Cancelled(), null));
    assertThat(reader.text()).isEqualTo(FIRST + item("canceled", true));
  }

  @Test
  void statusThatCannotBeReadEndsTheStream() {
    TestReader reader = read(new TaskState.Working());

    task.waits.remove().complete(Optional.empty());
    assertThat(reader.text()).isEqualTo(FIRST);
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void failureToReadEndsTheStream() {
    TestReader reader = read(new TaskState.Working());

    task.waits.remove().completeExceptionally(new IllegalStateException("broken"));
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void readerThatDisconnectsEndsOnlyTheWait() {
    TestReader reader = read(new TaskState.Working());

    connection.lose();
    assertThat(task.waits.remove()).isCancelled();
    assertThat(task.waits).isEmpty();
    assertThat(reader.text()).isEqualTo(FIRST);
  }

  @Test
  void processThatStopsEndsItsStreams() {
    TestReader reader = read(new TaskState.Working());

    streams.close();
    assertThat(reader.isEnded()).isTrue();
    assertThat(task.waits.remove()).isCancelled();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void onlyResultWithTaskIsStream() {
    assertThat(exchange.open(RESPONSE, true)).isEmpty();
    A2aExchange.stream(context(exchange), known(new TaskState.Working(), NOON), A2aVersion.V0_3);

    assertThat(exchange.open(REFUSAL, true)).isEmpty();
    assertThat(exchange.open(null, true)).isEmpty();
    assertThat(task.waits).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"message/stream", "SendStreamingMessage", "tasks/resubscribe", "SubscribeToTask"})
  void lateStreamBeginsWithComment(String method) {
    A2aExchange late = exchange(1);
    late.onRequest(new RpcMessage.Request("1", method, null));
    TestReader reader = new TestReader(late.relaying().join(), Long.MAX_VALUE);
    assertThat(reader.text()).isEqualTo(": open\n\n");

    assertThat(late.open(REFUSAL, true)).isPresent();
    assertThat(reader.text()).isEqualTo(": open\n\n" + ERROR);
    assertThat(reader.isEnded()).isTrue();
    assertThat(connection.isWatched()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "message/stream, true, true",
    "tasks/resubscribe, true, true",
    "message/stream, false, false",
    "message/send, true, false"
  })
  void errorIsTheOnlyItemWhereClientsReadIt(String method, boolean isOk, boolean isStream) {
    A2aExchange refused = exchange(3_600_000, true);
    refused.onRequest(new RpcMessage.Request("1", method, null));

    Optional<SsePublisher> stream = refused.open(REFUSAL, isOk);

    assertThat(stream.isPresent()).isEqualTo(isStream);
    stream.ifPresent(it -> {
      TestReader reader = new TestReader(it, Long.MAX_VALUE);
      assertThat(reader.text()).isEqualTo(ERROR);
      assertThat(reader.isEnded()).isTrue();
    });
    assertThat(exchange(3_600_000, true).open(null, true)).isEmpty();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void lateStreamTellsOfItsTask() {
    A2aExchange late = exchange(1);
    late.onRequest(new RpcMessage.Request("1", "message/stream", null));
    TestReader reader = new TestReader(late.relaying().join(), Long.MAX_VALUE);

    A2aExchange.stream(context(late), known(new TaskState.Working(), NOON), A2aVersion.V0_3);
    assertThat(late.open(RESPONSE, true)).isPresent();
    task.change(known(new CallOutcome.Cancelled(), NOON));
    assertThat(reader.text()).isEqualTo(": open\n\n" + FIRST + item("canceled", true));
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void onlyStreamsBeginWithComment() throws Exception {
    CompletableFuture<Void> isAnswered = new CompletableFuture<>();
    streams.timer().execute(isAnswered::join); // its only thread: nothing is late until then
    A2aExchange late = exchange(1);
    late.onRequest(new RpcMessage.Request("1", "SendMessage", null));
    A2aExchange answered = exchange(1);
    answered.onRequest(new RpcMessage.Request("1", "SendStreamingMessage", null));
    assertThat(answered.open(REFUSAL, true)).isEmpty();
    isAnswered.complete(null);

    streams.timer().schedule(() -> {}, 2, TimeUnit.MILLISECONDS).get();
    assertThat(late.relaying()).isNotDone();
    assertThat(answered.relaying()).isNotDone();
  }

  private TestReader read(TaskState state) {
    A2aExchange.stream(context(exchange), known(state, NOON), A2aVersion.V0_3);
    return new TestReader(exchange.open(RESPONSE, true).orElseThrow(), Long.MAX_VALUE);
  }

  private A2aExchange exchange(long silentMillisMax) {
    return exchange(silentMillisMax, false);
  }

  private A2aExchange exchange(long silentMillisMax, boolean readsErrorsInStreams) {
    return new A2aExchange(
        new A2aExchange.A2aClient(
            connection, this::publisher, streams, silentMillisMax, readsErrorsInStreams));
  }

  private SsePublisher publisher() {
    return new SsePublisher(streams.timer(), 3_600_000, () -> {});
  }

  private AnswerContext context(ClientChannel channel) {
    RoutingSnapshot routingSnapshot =
        new RoutingSnapshot(FixedToolsUpstream.rules(), Map.of(), null);
    AnswerContext context = AnswerContext.of(routingSnapshot);
    return new AnswerContext(
        context.callId(),
        "c-1",
        "joe",
        routingSnapshot,
        "1",
        Map.of(),
        channel,
        context.sources(),
        task);
  }

  private static Known known(TaskState state, @Nullable Instant workingSince) {
    return new Known(TASK, state, workingSince, NOON, NOON, NOON, null);
  }

  private static String item(String state, boolean isFinal) {
    return """
    data: {"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"t",\
    "contextId":"%s","status":{"state":"%s","timestamp":"2026-10-01T12:00:00.000Z"},\
    "final":%b}}

    """
        .formatted(TASK.callId(), state, isFinal);
  }

  /** A task whose changes the test makes. */
  private static final class ChangingTask implements CallerTasks {
    private final Deque<CompletableFuture<Optional<TaskStatus>>> waits = new ArrayDeque<>();

    void change(TaskStatus status) {
      waits.remove().complete(Optional.of(status));
    }

    @Override
    public CompletableFuture<Optional<TaskStatus>> awaitChange(TaskId id, TaskState state) {
      CompletableFuture<Optional<TaskStatus>> wait = new CompletableFuture<>();
      waits.add(wait);
      return wait;
    }

    @Override
    public CompletableFuture<Ended> status(TaskId id, Function<TaskStatus, Ended> toEnded) {
      return NONE.status(id, toEnded);
    }

    @Override
    public CompletableFuture<Ended> statuses(
        List<TaskId> ids, Function<List<TaskStatus>, Ended> toEnded) {
      return NONE.statuses(ids, toEnded);
    }

    @Override
    public CompletableFuture<Ended> await(
        TaskId id,
        long millisMax,
        Predicate<Known> waitWhile,
        Function<TaskStatus, Ended> toEnded) {
      return NONE.await(id, millisMax, waitWhile, toEnded);
    }

    @Override
    public CompletableFuture<Ended> cancel(TaskId id, Function<TaskStatus, Ended> toEnded) {
      return NONE.cancel(id, toEnded);
    }
  }
}
