package gatebook.api.gateway;

import static gatebook.api.gateway.SetClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;

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

  private static final GatewayLimits LIMITS = Given.refusals(3);
  private static final Fault FAULT = new BatchNotSupported();

  private final SetClock clock = new SetClock();
  private final Commands commands = Commands.comingTo(true);
  private final RefusalThrottle refusalThrottle =
      new RefusalThrottle(new CommandSender(commands), clock);

  @Test
  void soManyASecondHaveARecordOfTheirOwnAndTheOthersAreCounted() {
    assertThat(counted(5)).isEqualTo(2);
    clock.set(NOON.plusMillis(999));
    assertThat(counted(5)).isEqualTo(5);
    clock.set(NOON.plusMillis(1_000));
    assertThat(counted(5)).isEqualTo(2);
  }

  @Test
  void aFloodIsOneEventThatSaysFromWhenToWhenAndHowManyOfWhat() {
    counted(4);
    clock.pass(Duration.ofMillis(300));
    counted(1);
    refusalThrottle.counts(Dialect.FLOW, Transport.LINES, new TooDeep(256), LIMITS);

    refusalThrottle.report();

    assertThat(commands.sent()).singleElement().isInstanceOf(RefuseMessages.class);
    RefuseMessages sent = (RefuseMessages) commands.sent().getFirst();
    assertThat(List.of(sent.from(), sent.to())).containsExactly(NOON, NOON.plusMillis(300));
    assertThat(sent.counts())
        .containsExactlyInAnyOrder(
            new Count(Dialect.MCP, Transport.HTTP, "BatchNotSupported", 2),
            new Count(Dialect.FLOW, Transport.LINES, "TooDeep", 1));
  }

  @Test
  void whatHasARecordOfItsOwnIsNotReported() {
    counted(3);

    refusalThrottle.report();

    assertThat(commands.sent()).isEmpty();
  }

  @Test
  void aFloodIsReportedOnce() {
    counted(4);

    refusalThrottle.report();
    refusalThrottle.report();

    assertThat(commands.sent()).containsExactly(reported(0, 0, 1));
  }

  @Test
  void whatCannotBeRecordedIsCountedOn() {
    commands.stop();
    counted(4);
    refusalThrottle.report();
    clock.pass(Duration.ofMillis(10));
    counted(2);
    commands.decide(_ -> CompletableFuture.completedFuture(true));

    refusalThrottle.report();

    assertThat(commands.sent()).containsExactly(reported(0, 0, 1), reported(0, 10, 3));
  }

  @Test
  void whatComesWhileItIsBeingRecordedIsAddedWhenThatFails() {
    CompletableFuture<Boolean> recording = new CompletableFuture<>();
    commands.decide(_ -> recording);
    counted(4);
    refusalThrottle.report();
    clock.pass(Duration.ofMillis(10));
    counted(2);

    recording.completeExceptionally(new IllegalStateException("for the test"));
    refusalThrottle.report();

    assertThat(commands.sent()).containsExactly(reported(0, 0, 1), reported(0, 10, 3));
  }

  private static RefuseMessages reported(long fromMillis, long toMillis, long count) {
    return new RefuseMessages(
        NOON.plusMillis(fromMillis),
        NOON.plusMillis(toMillis),
        List.of(new Count(Dialect.MCP, Transport.HTTP, "BatchNotSupported", count)));
  }

  /** How many of so many messages are only counted. */
  private long counted(int messages) {
    return IntStream.range(0, messages)
        .filter(_ -> refusalThrottle.counts(Dialect.MCP, Transport.HTTP, FAULT, LIMITS))
        .count();
  }
}
