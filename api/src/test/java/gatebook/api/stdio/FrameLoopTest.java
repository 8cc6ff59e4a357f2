package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.log.CapturedLogLines;
import gatebook.api.log.LogLevel;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.CallAbandoned;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ReadTimeout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;

final class FrameLoopTest {

  private static final long SHUTDOWN_MILLIS = 5_000;

  private final List<IncomingMessage> received = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<Reply>> replies = new CopyOnWriteArrayList<>();
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final CompletableFuture<FrameLoop.End> end = new CompletableFuture<>();

  private volatile boolean isServedAtOnce;
  private FrameLoop.@Nullable OperatorEndpoint operatorEndpoint;
  private @Nullable CapturedLogLines lines;
  private PipedOutputStream in;
  private StdinReader stdinReader;

  @BeforeEach
  void pipe() throws IOException {
    pipe(SHUTDOWN_MILLIS);
  }

  private void pipe(long shutdownMillis) throws IOException {
    in = new PipedOutputStream();
    stdinReader =
        StdinReader.start(new PipedInputStream(in, 1 << 20), () -> false, shutdownMillis, _ -> {});
  }

  @AfterEach
  void stop() {
    stdinReader.stop();
    assertThat(end).succeedsWithin(Duration.ofMinutes(2));
    lines().close();
  }

  @Test
  void messagesAreProcessedOneAfterTheOther() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(request(1) + request(2));

    await().until(() -> received.size() == 1);
    reply(0, "{\"one\":1}");
    await().until(() -> received.size() == 2);
    reply(1, "{\"two\":2}");

    await()
        .untilAsserted(
            () -> assertThat(out).hasToString(frame("{\"one\":1}") + frame("{\"two\":2}")));
    assertThat(received.getFirst())
        .usingRecursiveComparison()
        .ignoringFields("memory")
        .isEqualTo(
            new IncomingMessage(
                new RpcMessage.Request("1", "m", null),
                37,
                Transport.FRAMES,
                received.getFirst().caller(),
                null,
                null,
                null,
                ClientChannel.NONE,
                Map.of()));
  }

  @Test
  void manyPipelinedMessagesAreAnsweredInOrder() throws IOException {
    isServedAtOnce = true;
    StringBuilder expected = new StringBuilder();
    StringBuilder sent = new StringBuilder();
    for (int id = 1; id <= 10_000; id++) {
      sent.append(request(id));
      expected.append(frame(String.valueOf(id)));
    }
    start(GatewayLimits.DEFAULT, out);
    send(sent.toString());
    in.close();

    assertThat(end).succeedsWithin(Duration.ofMinutes(2)).isEqualTo(FrameLoop.End.CLOSED);
    assertThat(out).hasToString(expected.toString());
  }

  @Test
  void notificationGetsNoAnswer() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
                """
                {"jsonrpc":"2.0","method":"m"}\
                """)
            + request(2));

    await().until(() -> received.size() == 1);
    replies.getFirst().complete(new Reply("c", 202, null));
    await().until(() -> received.size() == 2);
    reply(1, "{}");

    await().untilAsserted(() -> assertThat(out).hasToString(frame("{}")));
  }

  @Test
  void notificationTakesEffectOnlyAfterItsRecord() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
                """
                {"jsonrpc":"2.0","method":"shutdown"}\
                """)
            + frame(
                """
                {"jsonrpc":"2.0","method":"setLogLevel","params":{"level":"warn"}}\
                """)
            + request(3));

    await().until(() -> received.size() == 1);
    assertThat(done).isEmpty();
    replies.getFirst().complete(new Reply("c", 503, null));
    await().until(() -> received.size() == 2);
    replies.get(1).complete(new Reply("c", 202, null));
    await().until(() -> received.size() == 3);
    assertThat(done).containsExactly("log from WARN");
    reply(2, "{}");
  }

  @Test
  void messagesBeforeEndOfInputAreAnsweredAfterIt() throws IOException {
    send(request(1) + request(2));
    in.close();
    start(GatewayLimits.DEFAULT, out);

    await().until(() -> received.size() == 1);
    reply(0, "{\"one\":1}");
    await().until(() -> received.size() == 2);
    reply(1, "{\"two\":2}");

    assertThat(end.join()).isEqualTo(FrameLoop.End.CLOSED);
    assertThat(out).hasToString(frame("{\"one\":1}") + frame("{\"two\":2}"));
  }

  @Test
  void waitingForAnAnswerEndsSoonAfterEndOfInput() throws IOException {
    List<String> gone = new ArrayList<>();
    start(GatewayLimits.DEFAULT, out);
    send(request(1));
    await().until(() -> received.size() == 1);
    var _ =
        received.getFirst().caller().connection().onDisconnect(cause -> gone.add("gone, " + cause));
    in.close();

    assertThat(end.join()).isEqualTo(FrameLoop.End.ABANDONED);
    assertThat(gone).containsExactly("gone, DISCONNECTED");
    assertThat(out.size()).isZero();
  }

  @Test
  void nothingIsBegunOnceWaitingForAnAnswerHasEnded() throws IOException {
    in.close();
    pipe(50);
    start(GatewayLimits.DEFAULT, out);
    send(request(1) + request(2));
    await().until(() -> received.size() == 1);
    in.close();

    assertThat(end.join()).isEqualTo(FrameLoop.End.ABANDONED);
    assertThat(received).hasSize(1);
    assertThat(out.size()).isZero();
  }

  @Test
  void stoppedLoopProcessesNoFurtherMessage() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(request(1) + request(2));
    await().until(() -> received.size() == 1);
    stdinReader.stop();
    reply(0, "{}");

    assertThat(end.join()).isEqualTo(FrameLoop.End.STOPPED);
    assertThat(out).hasToString(frame("{}"));
    assertThat(received).hasSize(1);
  }

  @Test
  void lateFrameIsRecordedAndNotAnswered() throws IOException {
    start(inTime(20), out);
    send("Content-Length: 40\r\n\r\n{");

    await().until(() -> received.size() == 1);
    assertThat(received.getFirst().message())
        .isEqualTo(new RpcMessage.Unreadable(new ReadTimeout(20, 1), null));
    reply(0, "{\"late\":true}");
    send("}" + request(2));
    await().until(() -> received.size() == 2);
    reply(1, "{}");

    await().untilAsserted(() -> assertThat(out).hasToString(frame("{}")));
  }

  @Test
  void frameAfterRepeatedTimeoutsIsAnswered() throws IOException {
    start(inTime(20), out);
    for (int late = 0; late < 3; late++) {
      send("Content-Length: 40\r\n\r\n{");
      int so = late + 1;
      await().until(() -> received.size() == so);
      reply(late, "{\"late\":true}");
    }
    send(request(2));
    await().until(() -> received.size() == 4);
    reply(3, "{}");

    await().untilAsserted(() -> assertThat(out).hasToString(frame("{}")));
  }

  @Test
  void timeoutInARefusedFrameIsOnlyLogged() throws IOException {
    start(inTime(20), out);
    send("Content-Length: 99999999\r\n\r\nx");

    await().until(() -> received.size() == 1);
    assertThat(received.getFirst().message())
        .isEqualTo(
            new RpcMessage.Unreadable(
                new Oversize(GatewayLimits.DEFAULT.get(Limit.BODY_BYTES_MAX), 99_999_999L), null));
    reply(0, "{\"refused\":true}");
    await().until(() -> !lines().list.isEmpty());
    send(request(2));
    await().until(() -> received.size() == 2);
    reply(1, "{}");

    await()
        .untilAsserted(
            () -> assertThat(out).hasToString(frame("{\"refused\":true}") + frame("{}")));
    assertThat(lines().list)
        .singleElement()
        .satisfies(
            line -> assertThat(line.getLevel()).isEqualTo(Level.WARN),
            line ->
                assertThat(line.getFormattedMessage())
                    .isEqualTo("timeout while skipping the rest of a refused frame"),
            line ->
                assertThat(line.getKeyValuePairs())
                    .contains(new KeyValuePair("timeout_millis", 20L)));
  }

  @Test
  void continuousBytesDoNotExtendTheReadTimeout() throws IOException {
    start(inTime(50), out);
    send("Content-Length: 1000000\r\n\r\n");

    await()
        .until(() -> {
          send("x");
          return received.size() == 1;
        });
    reply(0, "{}");
  }

  @Test
  void failedWriteEndsTheLoop() throws IOException {
    start(
        GatewayLimits.DEFAULT,
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("broken pipe");
          }
        });
    send(request(1));
    await().until(() -> received.size() == 1);
    reply(0, "{}");

    assertThat(end.join()).isEqualTo(FrameLoop.End.BROKEN);
  }

  @Test
  void shutdownIsAnsweredWithoutTheJournal() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
            """
            {"jsonrpc":"2.0","id":1,"method":"shutdown"}\
            """));

    await()
        .untilAsserted(() ->
            assertThat(out)
                .hasToString(frame("ServiceUnavailable[cause=JOURNAL, retryAfterSeconds=null]")));
    assertThat(done).containsExactly("stop");
  }

  @Test
  void shutdownThatCannotBeRecordedIsObeyed() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
            """
            {"jsonrpc":"2.0","id":1,"method":"shutdown"}\
            """));
    await().until(() -> received.size() == 1);
    replies.getFirst().complete(new Reply("c", 200, "{}".getBytes(UTF_8)));

    await().untilAsserted(() -> assertThat(out).hasToString(frame("{}")));
    assertThat(done).containsExactly("stop");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        """
        {"code":403,"message":"m","data":{"reason":"not-permitted"}} | \
        Unauthorized[refusal=NOT_PERMITTED]\
        """,
        """
        {"code":403,"message":"m"} | Unauthorized[refusal=TOKEN_UNKNOWN]\
        """,
        """
        {"code":503,"message":"m"} | \
        ServiceUnavailable[cause=JOURNAL, retryAfterSeconds=null]\
        """,
        """
        {"code":-32602,"message":"m","data":\
        {"param":"p","expected":"e","received":"r"}} | \
        InvalidParams[problems=[Problem[param=p, reason=m, expected=e, received="r", \
        accepted=[]]]]\
        """,
        """
        {"code":-32603,"message":"m"} | \
        InternalError[doing=answering an operator's question, error=m]\
        """,
      })
  void whatTheOperatorsDeskRefusesIsToldInTheDaemonsWords(String error, String fault)
      throws IOException {
    operatorEndpoint =
        _ ->
            Optional.of(
                """
                {"jsonrpc":"2.0","id":1,"error":%s}\
                """
                    .formatted(error)
                    .getBytes(UTF_8));
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
            """
            {"jsonrpc":"2.0","id":1,"method":"audit.lookup"}\
            """));

    await().untilAsserted(() -> assertThat(out).hasToString(frame(fault)));
  }

  @Test
  void errorWhileAnsweringAnOperatorIsAnInternalError() throws IOException {
    operatorEndpoint =
        _ -> {
          throw new StackOverflowError();
        };
    start(GatewayLimits.DEFAULT, out);
    sendLookup();

    await()
        .untilAsserted(() ->
            assertThat(out)
                .hasToString(
                    frame(
                        "InternalError[doing=answering an operator's request,"
                            + " error=StackOverflowError]")));
  }

  @Test
  void operatorRpcOutOfReachMakesTheJournalUnavailable() throws IOException {
    operatorEndpoint = _ -> Optional.empty();
    start(GatewayLimits.DEFAULT, out);
    sendLookup();

    await()
        .untilAsserted(() ->
            assertThat(out)
                .hasToString(frame("ServiceUnavailable[cause=JOURNAL, retryAfterSeconds=null]")));
  }

  private void sendLookup() throws IOException {
    send(
        frame(
            """
            {"jsonrpc":"2.0","id":1,"method":"audit.lookup"}\
            """));
  }

  @Test
  void answerOfTheOperatorRpcIsReturned() throws IOException {
    operatorEndpoint = _ -> Optional.of("{\"result\":{\"error\":1}}".getBytes(UTF_8));
    start(GatewayLimits.DEFAULT, out);
    send(
        frame(
            """
            {"jsonrpc":"2.0","id":1,"method":"audit.lookup"}\
            """));

    await().untilAsserted(() -> assertThat(out).hasToString(frame("{\"result\":{\"error\":1}}")));
  }

  @Test
  void cancellationIsObeyedWhileTheCallWaits() throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(
        request(1)
            + frame(
                """
                {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}\
                """)
            + frame(
                """
                {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}\
                """)
            + request(2));
    await().until(() -> received.size() == 1);
    List<CallAbandoned.Cause> causes = new CopyOnWriteArrayList<>();
    CallerConnection.Watch _ = received.getFirst().caller().connection().onDisconnect(causes::add);

    for (int next = 1; next <= 3; next++) {
      int before = next;
      await().until(() -> received.size() == before + 1);
      reply(next, "{}");
    }

    assertThat(causes).containsExactly(CallAbandoned.Cause.CANCELLED);
    await().untilAsserted(() -> assertThat(out.toString(UTF_8)).endsWith(frame("{}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'jsonrpc':'2.0','id':9,'method':'shutdown'} | {}",
        "{'jsonrpc':'2.0','method':'shutdown'}        | ''",
        "{'jsonrpc':'2.0','method':'exit'}            | ''"
      },
      quoteCharacter = '`')
  void processStopsWhileACallWaits(String message, String answer) throws IOException {
    start(GatewayLimits.DEFAULT, out);
    send(request(1));
    await().until(() -> received.size() == 1);
    send(request(2) + frame(message.replace('\'', '"')) + request(3));

    await().until(() -> received.size() == 2);
    reply(1, "{}");

    assertThat(end).succeedsWithin(Duration.ofMinutes(2)).isEqualTo(FrameLoop.End.ABANDONED);
    assertThat(out).hasToString(answer.equals("{}") ? frame("{}") : "");
    assertThat(done).containsExactly("stop");
    assertThat(lines().list)
        .anySatisfy(event ->
            assertThat(event.getKeyValuePairs()).contains(new KeyValuePair("dropped", 2L)));
  }

  private void start(GatewayLimits gatewayLimits, OutputStream to) {
    BuiltInMethods.Host host =
        new BuiltInMethods.Host() {
          @Override
          public void setLogLevel(LogLevel level) {
            done.add("log from " + level);
          }

          @Override
          public void stopAfterAnswer() {
            done.add("stop");
          }
        };
    FrameLoop.Backend backend =
        new FrameLoop.Backend(
            this::serve,
            new BuiltInMethods("1", List.of(), host),
            (_, failure) -> CompletableFuture.failedFuture(failure),
            new Refused(),
            Optional.ofNullable(operatorEndpoint),
            () -> gatewayLimits);
    Thread loop =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> {
              try {
                end.complete(new FrameLoop(backend, stdinReader, new FrameWriter(to)).run());
              } catch (InterruptedException | RuntimeException e) {
                end.completeExceptionally(e);
              }
            });
    lines = CapturedLogLines.of(FrameLoop.class.getName(), loop);
    loop.start();
  }

  private CapturedLogLines lines() {
    return Objects.requireNonNull(lines);
  }

  private static final class Refused implements FrameLoop.Refusals {
    @Override
    public CompletableFuture<Reply> recorded(IncomingMessage incomingMessage, Fault fault) {
      return CompletableFuture.completedFuture(unrecorded(incomingMessage, fault));
    }

    @Override
    public Reply overload(@Nullable String requestId) {
      return new Reply("c", 200, ("overload " + requestId).getBytes(UTF_8));
    }

    @Override
    public Reply unrecorded(IncomingMessage incomingMessage, Fault fault) {
      return new Reply("c", 200, fault.toString().getBytes(UTF_8));
    }
  }

  private CompletableFuture<Reply> serve(Dialect dialect, IncomingMessage incomingMessage) {
    assertThat(dialect).isEqualTo(Dialect.DAEMON);
    if (isServedAtOnce
        && incomingMessage.message() instanceof RpcMessage.Request(var id, _, _, _)) {
      return CompletableFuture.completedFuture(new Reply("c", 200, id.getBytes(UTF_8)));
    }
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    replies.add(reply);
    received.add(incomingMessage);
    return reply;
  }

  private void reply(int index, String body) {
    replies.get(index).complete(new Reply("c", 200, body.getBytes(UTF_8)));
  }

  private static GatewayLimits inTime(long readMillisMax) {
    return GatewayLimits.DEFAULT.with(Limit.READ_MILLIS_MAX, readMillisMax);
  }

  private void send(String text) throws IOException {
    in.write(text.getBytes(UTF_8));
    in.flush();
  }

  private static String request(int id) {
    return frame(
        """
        {"jsonrpc":"2.0","id":%d,"method":"m"}\
        """
            .formatted(id));
  }

  private static String frame(String body) {
    return "Content-Length: %d\r\n\r\n%s".formatted(body.getBytes(UTF_8).length, body);
  }
}
