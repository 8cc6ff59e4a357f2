package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.TestReader;
import gatebook.events.CallAbandoned.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class McpExchangeTest {

  private final List<Cause> causes = new ArrayList<>();
  private final NoRepeats timer = new NoRepeats();
  private final SsePublisher ssePublisher = new SsePublisher(timer, 60_000, () -> {});
  private final McpExchange mcpExchange =
      new McpExchange(
          new McpExchange.Sender(
              null,
              true,
              CallerConnection.UNOBSERVED,
              () -> ssePublisher,
              (_, _, _) -> {
                throw new AssertionError("no source sends anything");
              },
              timer),
          "1");

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void streamOfALongWaitStartsBeforeItsFirstEvent() {
    mcpExchange.expectLongWait();
    SsePublisher stream = mcpExchange.streaming().join();

    assertThat(new TestReader(stream, Long.MAX_VALUE).text()).isEqualTo(": open\n\n");
  }

  @Test
  void streamThatHasEventsGetsNoHeadOfItsOwn() {
    var _ = mcpExchange.sendNotification("{}".getBytes(UTF_8));
    mcpExchange.expectLongWait();

    assertThat(new TestReader(mcpExchange.streaming().join(), Long.MAX_VALUE).text())
        .isEqualTo("data: {}\n\n");
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

  /** Runs a delayed task at once, and a repeated one never. */
  private static final class NoRepeats extends ScheduledThreadPoolExecutor {
    NoRepeats() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      task.run();
      return super.schedule(() -> {}, 0, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable task, long initialDelay, long delay, TimeUnit unit) {
      return super.schedule(() -> {}, 0, unit);
    }
  }
}
