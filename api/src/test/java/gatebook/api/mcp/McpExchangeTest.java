package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.LosableConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.ImmediateTimer;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.TestReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.CallAbandoned.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class McpExchangeTest {
  private static final byte[] NOTIFICATION = "{}".getBytes(UTF_8);
  private static final Reply ANSWER = new Reply("c-1", 200, "[]".getBytes(UTF_8));

  private final List<Cause> causes = new ArrayList<>();
  private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);
  private final McpSessions mcpSessions =
      new McpSessions(
          () -> GatewayLimits.DEFAULT,
          (_, _, _, _) -> {
            throw new AssertionError("no source sends anything");
          },
          timer);
  private final LosableConnection connection = new LosableConnection();
  private final McpExchange mcpExchange = exchange(true, null);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void messageBeforeTheAnswerMakesItAStream() {
    var _ = mcpExchange.sendNotification(NOTIFICATION);
    SsePublisher stream = mcpExchange.openedEarly().join();

    assertThat(mcpExchange.answer(ANSWER)).containsSame(stream);
    TestReader reader = new TestReader(stream, Long.MAX_VALUE);
    assertThat(reader.text()).isEqualTo("data: {}\n\ndata: []\n\n");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void clientWithoutStreamsGetsOnlyTheAnswer() {
    McpExchange exchange = exchange(false, null);
    exchange.expectLongWait();

    assertThat(exchange.sendNotification(NOTIFICATION)).isCompletedWithValue(false);
    assertThat(exchange.answer(ANSWER)).isEmpty();
    assertThat(mcpExchange.answer(ANSWER)).isEmpty();
  }

  @Test
  void streamOfALongWaitStartsBeforeItsFirstEvent() {
    McpSession session = mcpSessions.create("joe");
    McpExchange exchange =
        exchange(new OpenStreams(new ImmediateTimer(), () -> GatewayLimits.DEFAULT), true, session);
    exchange.expectLongWait();
    TestReader reader = new TestReader(exchange.openedEarly().join(), Long.MAX_VALUE);
    var _ = exchange.sendNotification(NOTIFICATION);

    assertThat(reader.text()).isEqualTo(": open\n\nid: c1-0\ndata: {}\n\n");
  }

  @Test
  void sessionThatClosesWhenIdleSendsTheAnswerFirst() {
    McpSession session = mcpSessions.create("joe");
    McpExchange exchange = exchange(true, session);
    var _ = exchange.sendNotification(NOTIFICATION);
    TestReader reader = new TestReader(exchange.openedEarly().join(), Long.MAX_VALUE);
    session.closeWhenIdle();

    Optional<SsePublisher> _ = exchange.answer(ANSWER);

    assertThat(reader.text()).isEqualTo("id: c1-0\ndata: {}\n\nid: c1-1\ndata: []\n\n");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void lostConnectionIsNoLossOfAResumableStream() {
    McpSession session = mcpSessions.create("joe");
    McpExchange exchange = exchange(true, session);
    var _ = exchange.onDisconnect(causes::add);
    exchange.markResumable();
    TestReader first = new TestReader(exchange.openedEarly().join(), Long.MAX_VALUE);

    connection.lose();
    Optional<SsePublisher> _ = exchange.answer(ANSWER);

    assertThat(causes).isEmpty();
    assertThat(first.text()).isEqualTo("id: c1-0\ndata: \n\n");
    SsePublisher reader = streams().publisher(McpExchange.KIND, connection);
    assertThat(session.attachReader(reader, "c1-0")).isTrue();
    assertThat(new TestReader(reader, Long.MAX_VALUE).text()).isEqualTo("id: c1-1\ndata: []\n\n");
  }

  @Test
  void aWatchThatBeginsAfterTheCancellationStillSeesIt() {
    mcpExchange.cancel();

    var _ = mcpExchange.onDisconnect(causes::add);

    assertThat(causes).containsExactly(Cause.CANCELLED);
  }

  @Test
  void aStrictWatchSeesTheCancellationToo() {
    var _ = mcpExchange.strict().onDisconnect(causes::add);

    mcpExchange.cancel();

    assertThat(causes).containsExactly(Cause.CANCELLED);
  }

  @Test
  void aWatchThatEndedSeesNoCancellation() {
    mcpExchange.onDisconnect(causes::add).end();

    mcpExchange.cancel();

    assertThat(causes).isEmpty();
  }

  private McpExchange exchange(boolean acceptsStream, @Nullable McpSession session) {
    return exchange(streams(), acceptsStream, session);
  }

  private McpExchange exchange(
      OpenStreams streams, boolean acceptsStream, @Nullable McpSession session) {
    return new McpExchange(
        streams,
        connection,
        new RpcMessage.Request("1", "tools/call", null),
        acceptsStream,
        mcpSessions,
        session);
  }

  private OpenStreams streams() {
    return new OpenStreams(timer, () -> GatewayLimits.DEFAULT);
  }
}
