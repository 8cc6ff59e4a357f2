package gatebook.api.gateway;

import static gatebook.api.gateway.SettableClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.command.call.RefuseMessages;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.MessagesRefused.Count;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.TooDeep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RefusalThrottleTest {

  private static final GatewayLimits LIMITS = RulesFixture.refusals(3);
  private static final Fault FAULT = new BatchNotSupported();

  private final SettableClock clock = new SettableClock();
  private final FakeCommandGateway fakeCommandGateway = FakeCommandGateway.withOutcome(true);
  private final RefusalThrottle refusalThrottle =
      new RefusalThrottle(new CommandSender(fakeCommandGateway), clock, (_, _) -> -32_600);

  @Test
  void refusalsAboveTheLimitAreOnlyCounted() {
    assertThat(counted(5)).isEqualTo(2);
    clock.set(NOON.plusMillis(999));
    assertThat(counted(5)).isEqualTo(5);
    clock.set(NOON.plusMillis(1_000));
    assertThat(counted(5)).isEqualTo(2);
  }

  @Test
  void floodIsOneEventWithTimesAndCounts() {
    counted(4);
    clock.pass(Duration.ofMillis(300));
    counted(1);
    refusalThrottle.throttle(Dialect.FLOW, Transport.LINES, new TooDeep(256), LIMITS);

    refusalThrottle.report();

    assertThat(fakeCommandGateway.sent()).singleElement().isInstanceOf(RefuseMessages.class);
    RefuseMessages sent = (RefuseMessages) fakeCommandGateway.sent().getFirst();
    assertThat(List.of(sent.from(), sent.to())).containsExactly(NOON, NOON.plusMillis(300));
    assertThat(sent.counts())
        .containsExactlyInAnyOrder(
            new Count(Dialect.MCP, Transport.HTTP, "BatchNotSupported", -32_600, 2),
            new Count(Dialect.FLOW, Transport.LINES, "TooDeep", -32_600, 1));
  }

  @Test
  void recordedRefusalsAreNotCounted() {
    counted(3);

    refusalThrottle.report();

    assertThat(fakeCommandGateway.sent()).isEmpty();
  }

  @Test
  void floodIsReportedOnce() {
    counted(4);

    refusalThrottle.report();
    refusalThrottle.report();

    assertThat(fakeCommandGateway.sent()).containsExactly(reported(0, 0, 1));
  }

  @Test
  void refusedReportKeepsItsCounts() {
    fakeCommandGateway.stop();
    counted(4);
    refusalThrottle.report();
    clock.pass(Duration.ofMillis(10));
    counted(2);
    fakeCommandGateway.decide(_ -> CompletableFuture.completedFuture(true));

    refusalThrottle.report();

    assertThat(fakeCommandGateway.sent()).containsExactly(reported(0, 0, 1), reported(0, 10, 3));
  }

  @Test
  void countsDuringAFailedReportAreAdded() {
    CompletableFuture<Boolean> recording = new CompletableFuture<>();
    fakeCommandGateway.decide(_ -> recording);
    counted(4);
    refusalThrottle.report();
    clock.pass(Duration.ofMillis(10));
    counted(2);

    recording.completeExceptionally(new IllegalStateException("for the test"));
    refusalThrottle.report();

    assertThat(fakeCommandGateway.sent()).containsExactly(reported(0, 0, 1), reported(0, 10, 3));
  }

  private static RefuseMessages reported(long fromMillis, long toMillis, long count) {
    return new RefuseMessages(
        NOON.plusMillis(fromMillis),
        NOON.plusMillis(toMillis),
        List.of(new Count(Dialect.MCP, Transport.HTTP, "BatchNotSupported", -32_600, count)));
  }

  /** How many of these messages are only counted. */
  private long counted(int messages) {
    return IntStream.range(0, messages)
        .filter(_ -> refusalThrottle.throttle(Dialect.MCP, Transport.HTTP, FAULT, LIMITS))
        .count();
  }
}
