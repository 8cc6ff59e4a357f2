package gatebook.api.border;

import static gatebook.api.border.SetClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.abandon.AbandonCall;
import gatebook.command.abandon.CloseCall;
import gatebook.command.outage.ReportOutage;
import gatebook.events.CallAbandoned;
import gatebook.events.call.Dialect;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class OutagesTest {

  private static final Fault REFUSED = new ServiceUnavailable(Cause.JOURNAL, null);
  private static final Fault LOST = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);

  /** How many open calls are remembered. */
  private static final int OPEN_CALLS_MAX = 10_000;

  private final SetClock clock = new SetClock();
  private final Commands commands = Commands.comingTo(true);
  private final Outages outages = new Outages(new Decisions(commands), clock);

  @Test
  void aGapIsOneEventAndThenEveryCallItLeftOpenIsClosed() {
    outages.noted(REFUSED);
    outages.recordLater(close(1, REFUSED));
    clock.pass(Duration.ofSeconds(2));
    outages.noted(LOST);
    outages.recordLater(close(2, LOST));
    outages.noted(REFUSED);
    outages.recordLater(close(3, REFUSED));

    outages.report();
    outages.report();
    outages.report();

    assertThat(commands.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON.plusSeconds(2), "journal", 2, 1),
            close(1, REFUSED),
            close(2, LOST),
            close(3, REFUSED));
  }

  @Test
  void withoutAGapThereIsNothingToReport() {
    outages.report();

    assertThat(commands.sent()).isEmpty();
  }

  @Test
  void theGapIsNamedByWhatBeganIt() {
    outages.noted(new InternalError("serving", "X"));
    outages.recordLater(close(1, REFUSED));
    outages.noted(REFUSED);
    outages.recordLater(close(2, REFUSED));

    outages.report();

    assertThat(commands.sent())
        .containsExactly(new ReportOutage(NOON, NOON, "InternalError", 2, 0));
  }

  @Test
  void whileNothingCanBeRecordedTheGapGoesOnAndNoCallIsClosed() {
    commands.stop();
    outages.noted(REFUSED);
    outages.recordLater(close(1, REFUSED));
    outages.report();
    clock.pass(Duration.ofSeconds(1));
    outages.noted(REFUSED);
    outages.recordLater(close(2, REFUSED));
    outages.report();

    assertThat(commands.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON, "journal", 1, 0),
            new ReportOutage(NOON, NOON.plusSeconds(1), "journal", 2, 0));
  }

  @Test
  void whatComesWhileTheGapIsBeingReportedIsTheNextGap() {
    CompletableFuture<Boolean> reporting = new CompletableFuture<>();
    commands.decide(_ -> reporting);
    outages.noted(REFUSED);
    outages.recordLater(close(1, REFUSED));
    outages.report();
    clock.pass(Duration.ofSeconds(3));
    outages.noted(LOST);
    outages.recordLater(close(2, LOST));

    reporting.complete(true);
    outages.report();

    assertThat(commands.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON, "journal", 1, 0),
            new ReportOutage(NOON, NOON.plusSeconds(3), "journal", 0, 1));
  }

  @Test
  void aReportUnderWayIsNotMadeTwice() {
    CompletableFuture<Boolean> reporting = new CompletableFuture<>();
    commands.decide(command ->
        command instanceof ReportOutage ? reporting : CompletableFuture.completedFuture(true));
    outages.noted(REFUSED);
    outages.recordLater(close(1, REFUSED));

    outages.report();
    outages.report();

    assertThat(commands.sent().stream().filter(ReportOutage.class::isInstance)).hasSize(1);
  }

  @Test
  void aReportThatFailedIsMadeAgain() {
    commands.decide(_ -> CompletableFuture.failedFuture(new IllegalStateException("test")));
    outages.noted(REFUSED);
    outages.recordLater(close(1, REFUSED));
    outages.report();
    commands.decide(_ -> CompletableFuture.completedFuture(true));

    outages.report();
    outages.report();

    ReportOutage gap = new ReportOutage(NOON, NOON, "journal", 1, 0);
    assertThat(commands.sent()).containsExactly(gap, gap, close(1, REFUSED));
  }

  @Test
  void aCallThatCannotBeClosedYetIsClosedLater() {
    AbandonCall gone = new AbandonCall(call(1), CallAbandoned.Cause.DISCONNECTED, NOON, NOON);
    commands.stop();
    outages.record(gone);
    outages.report();
    commands.decide(_ -> CompletableFuture.completedFuture(true));
    outages.report();
    outages.report();

    assertThat(commands.sent()).containsExactly(gone, gone, gone);
  }

  @Test
  void noMoreOpenCallsAreRememberedThanMayBe() {
    for (int i = 0; i <= OPEN_CALLS_MAX; i++) {
      outages.noted(REFUSED);
      outages.recordLater(close(i, REFUSED));
    }

    outages.report();
    outages.report();

    assertThat(commands.sent())
        .hasSize(1 + OPEN_CALLS_MAX)
        .startsWith(new ReportOutage(NOON, NOON, "journal", OPEN_CALLS_MAX + 1, 0))
        .endsWith(close(OPEN_CALLS_MAX - 1, REFUSED));
  }

  private static CloseCall close(int call, Fault fault) {
    Told told = new Told(Dialect.MCP, -1, "no", null, null);
    return new CloseCall(call(call), "tool", fault, told, NOON, NOON);
  }

  private static UUID call(int number) {
    return new UUID(0, number);
  }
}
