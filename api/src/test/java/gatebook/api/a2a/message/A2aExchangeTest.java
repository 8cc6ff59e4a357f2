package gatebook.api.a2a.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.gateway.message.LosableConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.ImmediateTimer;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.TestReader;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
  private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
  private static final String REFUSAL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32004}}";
  private static final String FIRST = "data: " + RESULT + "\n\n";
  private static final String ERROR = "event: error\ndata: " + REFUSAL + "\n\n";
  private static final TaskCreated TASK =
      new TaskCreated(new UUID(1, 2), "t", Form.TASK, NOON, 60_000);

  private final OpenStreams streams = new OpenStreams(() -> GatewayLimits.DEFAULT);
  private final LosableConnection connection = new LosableConnection();
  private final ChangingTask task = new ChangingTask();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final A2aMeters meters = new A2aMeters(registry);
  private final A2aExchange exchange = exchange("message/send", false);

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

    task.waits.remove().complete(new CommandResult.Refused<>(FakeCommandGateway.STOPPED));
    assertThat(reader.text()).isEqualTo(FIRST);
    assertThat(reader.isEnded()).isTrue();
    assertThat(CountedTasksTest.counted(registry)).containsExactly("follow error 1");
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
    assertThat(CountedTasksTest.counted(registry)).isEmpty();
  }

  @Test
  void onlyResultWithTaskIsStream() {
    assertThat(exchange.answer(ok(RESULT))).isEmpty();

    for (Reply reply : List.of(ok(REFUSAL), Reply.none("c-1"))) {
      A2aExchange withTask = exchange("message/stream", false);
      stream(withTask, new TaskState.Working());
      assertThat(withTask.answer(reply)).isEmpty();
    }
    assertThat(task.waits).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"message/stream", "SendStreamingMessage", "tasks/resubscribe", "SubscribeToTask"})
  void lateStreamBeginsWithComment(String method) {
    A2aExchange late = lateExchange(method);
    TestReader reader = new TestReader(late.openedEarly().join(), Long.MAX_VALUE);
    assertThat(reader.text()).isEqualTo(": open\n\n");

    assertThat(late.answer(ok(REFUSAL))).isPresent();
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
    A2aExchange refused = exchange(method, true);

    Optional<SsePublisher> stream =
        refused.answer(new Reply("c-1", isOk ? 200 : 400, REFUSAL.getBytes(UTF_8)));

    assertThat(stream.isPresent()).isEqualTo(isStream);
    stream.ifPresent(it -> {
      TestReader reader = new TestReader(it, Long.MAX_VALUE);
      assertThat(reader.text()).isEqualTo(ERROR);
      assertThat(reader.isEnded()).isTrue();
    });
    assertThat(exchange(method, true).answer(Reply.none("c-1"))).isEmpty();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void lateStreamTellsOfItsTask() {
    A2aExchange late = lateExchange("message/stream");
    TestReader reader = new TestReader(late.openedEarly().join(), Long.MAX_VALUE);

    stream(late, new TaskState.Working());
    assertThat(late.answer(ok(RESULT))).isPresent();
    task.change(known(new CallOutcome.Cancelled(), NOON));
    assertThat(reader.text()).isEqualTo(": open\n\n" + FIRST + item("canceled", true));
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void onlyStreamsBeginWithComment() {
    assertThat(lateExchange("SendMessage").openedEarly()).isNotDone();
  }

  private TestReader read(TaskState state) {
    stream(exchange, state);
    return new TestReader(exchange.answer(ok(RESULT)).orElseThrow(), Long.MAX_VALUE);
  }

  private A2aExchange exchange(String method, boolean readsErrorsInStreams) {
    return exchange(streams, method, readsErrorsInStreams);
  }

  /** An exchange whose first item is late. */
  private A2aExchange lateExchange(String method) {
    return exchange(
        new OpenStreams(new ImmediateTimer(), () -> GatewayLimits.DEFAULT), method, false);
  }

  private A2aExchange exchange(
      OpenStreams openStreams, String method, boolean readsErrorsInStreams) {
    return new A2aExchange(
        openStreams,
        connection,
        new RpcMessage.Request("1", method, null),
        3_600_000,
        readsErrorsInStreams);
  }

  private static Reply ok(String json) {
    return new Reply("c-1", 200, json.getBytes(UTF_8));
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

  private void stream(A2aExchange channel, TaskState state) {
    A2aExchange.stream(context(channel), known(state, NOON), A2aVersion.V0_3, false, meters);
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
    private final Deque<CompletableFuture<CommandResult<TaskStatus>>> waits = new ArrayDeque<>();

    void change(TaskStatus status) {
      waits.remove().complete(new CommandResult.Stored<>(status));
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> await(
        TaskId id, long millisMax, Predicate<Known> waitWhile) {
      CompletableFuture<CommandResult<TaskStatus>> wait = new CompletableFuture<>();
      waits.add(wait);
      return wait;
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> status(TaskId id) {
      return NONE.status(id);
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> cancel(TaskId id) {
      return NONE.cancel(id);
    }
  }
}
