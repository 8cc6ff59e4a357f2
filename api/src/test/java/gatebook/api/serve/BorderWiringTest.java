package gatebook.api.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.border.Caller;
import gatebook.api.border.Incoming;
import gatebook.api.border.Reply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.upstream.Upstream;
import gatebook.command.gate.Expose;
import gatebook.command.gate.Source;
import gatebook.command.keep.Keeper;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.Dialect;
import gatebook.events.call.Exposure;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import gatebook.events.journal.Journal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The border with the real journal and an upstream that does what the test says. */
final class BorderWiringTest {

  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tool\"}}";

  @TempDir private Path data;

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private @Nullable Journal opened;
  private @Nullable JournalDoor door;
  private @Nullable BorderWiring wiring;

  @BeforeEach
  void open() {
    opened = RealJournal.open(data);
    door = RealJournal.door(opened, data);
    wiring =
        BorderWiring.open(door, new byte[Keeper.KEY_BYTES], new SimpleMeterRegistry(), upstream);
  }

  @AfterEach
  void close() {
    border().close();
    Objects.requireNonNull(door).close();
  }

  @Test
  void nothingIsForwardedNorAnsweredBeforeItsRecordIsDurable() throws SQLException {
    try (Connection other = RealJournal.connect(data);
        Connection watcher = RealJournal.connect(data)) {
      other.setAutoCommit(false);
      other.createStatement().execute("SELECT * FROM journal_edge FOR UPDATE");

      CompletableFuture<Reply> reply = serve(CALL);
      await().until(() -> somebodyWaits(watcher));

      assertThat(upstream.calls).hasValue(0);
      assertThat(reply).isNotDone();

      other.rollback();
      assertThat(body(reply)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
      assertThat(recorded())
          .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
    }
  }

  @Test
  void theOutcomeIsDurableBeforeItIsTold() throws SQLException {
    try (Connection other = RealJournal.connect(data);
        Connection watcher = RealJournal.connect(data)) {
      other.setAutoCommit(false);
      upstream.response =
          () -> {
            lock(other);
            return CompletableFuture.completedFuture(new Upstream.Response.Result("{}", false));
          };

      CompletableFuture<Reply> reply = serve(CALL);
      await().until(() -> somebodyWaits(watcher));

      assertThat(upstream.calls).hasValue(1);
      assertThat(reply).isNotDone();

      other.rollback();
      assertThat(body(reply)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }
  }

  @Test
  void whenOnlyTheOutcomeCannotBeRecordedTheCallerIsToldNotToRetry() {
    upstream.response =
        () ->
            CompletableFuture.supplyAsync(() -> {
              journal().close(); // not on the journal's own thread, which it waits for
              return new Upstream.Response.Result("{}", false);
            });

    assertThat(body(serve(CALL)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32013,\"message\":\"Service"
                + " unavailable\",\"data\":{\"correlation_id\":\"c\",\"details\":\"forwarded,"
                + " outcome not recorded, do not retry\"}}}");
  }

  @Test
  void anUnforeseenExceptionIsAnInternalErrorThatIsRecordedAndTellsNothing() {
    upstream.response =
        () -> {
          throw new IllegalStateException("secret inner words");
        };

    assertThat(body(serve(CALL)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"Internal"
                + " error\",\"data\":{\"correlation_id\":\"c\"}}}");
    assertThat(lastFault())
        .isEqualTo(new InternalError("serving a message", "IllegalStateException"));
    upstream.response = ScriptedUpstream::empty;
    assertThat(body(serve(CALL))).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
  }

  @Test
  void anUpstreamThatDoesNotAnswerInTimeIsAFaultOfItsOwn() {
    upstream.response = CompletableFuture::new;

    assertThat(body(serve(CALL)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32001,\"message\":\"The upstream"
                + " server did not answer in"
                + " time\",\"data\":{\"correlation_id\":\"c\",\"details\":\"no answer within"
                + " 200ms\"}}}");
    assertThat(lastFault()).isEqualTo(new UpstreamTimeout("scripted", "nowhere", 200));
  }

  @Test
  void whatGoesWrongWithAForwardedNotificationIsOnlyRecorded() {
    upstream.response =
        () ->
            CompletableFuture.completedFuture(
                new Upstream.Response.Failure(new MethodNotFound("tools/call")));

    Reply reply =
        serve("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"tool\"}}")
            .join();

    assertThat(reply.httpStatus()).isEqualTo(202);
    assertThat(reply.body()).isNull();
    await()
        .untilAsserted(() ->
            assertThat(recorded())
                .containsExactly(
                    "CallReceived", "CallAdmitted", "CallForwarded", "ErrorTranslated"));
  }

  @Test
  void anIdTooLongToBeRecordedStillGetsItsAnswerAndARecord() {
    String id = "\"" + "x".repeat(2 << 20) + "\"";

    String body = body(serve("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}".formatted(id)));

    assertThat(body)
        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32603,");
    assertThat(recorded()).containsExactly("MessageRefused");
  }

  private CompletableFuture<Reply> serve(String message) {
    byte[] bytes = message.getBytes(UTF_8);
    return border()
        .border()
        .serve(
            Dialect.MCP,
            new Incoming(
                new MessageReader(MessageReader.DEPTH_MAX).read(bytes),
                bytes.length,
                Transport.HTTP,
                new Caller(List.of(), true),
                "c",
                null,
                null));
  }

  private static String body(CompletableFuture<Reply> reply) {
    return new String(Objects.requireNonNull(reply.join().body()), UTF_8);
  }

  private List<String> recorded() {
    return RealJournal.events(journal()).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private Fault lastFault() {
    return ((ErrorTranslated) RealJournal.events(journal()).getLast()).fault();
  }

  private BorderWiring border() {
    return Objects.requireNonNull(wiring);
  }

  private Journal journal() {
    return Objects.requireNonNull(opened);
  }

  private static boolean somebodyWaits(Connection watcher) throws SQLException {
    try (ResultSet blocked =
        watcher
            .createStatement()
            .executeQuery(
                "SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL")) {
      return blocked.next();
    }
  }

  private static void lock(Connection connection) {
    try {
      connection.createStatement().execute("SELECT * FROM journal_edge FOR UPDATE");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has one tool, and answers its calls as the test says. */
  private static final class ScriptedUpstream implements Upstream {
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Supplier<CompletableFuture<Response>> response = ScriptedUpstream::empty;

    static CompletableFuture<Response> empty() {
      return CompletableFuture.completedFuture(new Response.Result("{}", false));
    }

    @Override
    public Source source() {
      return new Source(
          "scripted", "nowhere", 200, Set.of("tool"), new Expose(Exposure.ALL, Set.of()));
    }

    @Override
    public List<Tool> tools() {
      return List.of(new Tool("tool", "{\"name\":\"tool\"}"));
    }

    @Override
    public CompletableFuture<Response> call(String method, @Nullable String params) {
      calls.incrementAndGet();
      return response.get();
    }
  }
}
