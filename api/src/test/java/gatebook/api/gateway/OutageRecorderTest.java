package gatebook.api.gateway;

import static gatebook.api.gateway.SettableClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.gateway.ReportOutage;
import gatebook.events.CallAbandoned;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class OutageRecorderTest {

  private static final Fault REFUSED = new ServiceUnavailable(Cause.JOURNAL, null);
  private static final Fault LOST = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);

  /** How many open calls are kept. */
  private static final int OPEN_CALLS_MAX = 10_000;

  private final SettableClock clock = new SettableClock();
  private final FakeCommandGateway fakeCommandGateway = FakeCommandGateway.withOutcome(true);
  private final OutageRecorder outageRecorder =
      new OutageRecorder(new CommandSender(fakeCommandGateway), clock);

  @Test
  void gapIsOneEventThenOpenCallsAreClosed() {
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(1, REFUSED));
    clock.pass(Duration.ofSeconds(2));
    outageRecorder.count(LOST);
    outageRecorder.recordLater(close(2, LOST));
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(3, REFUSED));

    outageRecorder.report();
    outageRecorder.report();
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON.plusSeconds(2), "journal", 2, 1),
            close(1, REFUSED),
            close(2, LOST),
            close(3, REFUSED));
  }

  @Test
  void anEndIsAttemptedWhenItsCommandCompletes() {
    CompletableFuture<Boolean> recording = new CompletableFuture<>();
    fakeCommandGateway.decide(_ -> recording);
    outageRecorder.record(abandon(1));

    CompletableFuture<Void> attempted = outageRecorder.attempted();
    assertThat(attempted).isNotDone();

    recording.complete(true);
    assertThat(attempted).isDone();
    assertThat(outageRecorder.attempted()).isDone();
  }

  @Test
  void withoutAGapNothingIsReported() {
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent()).isEmpty();
  }

  @Test
  void gapHasTheCauseThatBeganIt() {
    outageRecorder.count(new InternalError("serving", "X"));
    outageRecorder.recordLater(close(1, REFUSED));
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(2, REFUSED));

    outageRecorder.report();

    assertThat(fakeCommandGateway.sent())
        .containsExactly(new ReportOutage(NOON, NOON, "InternalError", 2, 0));
  }

  @Test
  void noCallIsClosedDuringAnOutage() {
    fakeCommandGateway.stop();
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(1, REFUSED));
    outageRecorder.report();
    clock.pass(Duration.ofSeconds(1));
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(2, REFUSED));
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON, "journal", 1, 0),
            new ReportOutage(NOON, NOON.plusSeconds(1), "journal", 2, 0));
  }

  @Test
  void faultsDuringTheReportAreTheNextGap() {
    CompletableFuture<Boolean> reporting = new CompletableFuture<>();
    fakeCommandGateway.decide(_ -> reporting);
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(1, REFUSED));
    outageRecorder.report();
    clock.pass(Duration.ofSeconds(3));
    outageRecorder.count(LOST);
    outageRecorder.recordLater(close(2, LOST));

    reporting.complete(true);
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent())
        .containsExactly(
            new ReportOutage(NOON, NOON, "journal", 1, 0),
            new ReportOutage(NOON, NOON.plusSeconds(3), "journal", 0, 1));
  }

  @Test
  void reportsDoNotOverlap() {
    CompletableFuture<Boolean> reporting = new CompletableFuture<>();
    fakeCommandGateway.decide(command ->
        command instanceof ReportOutage ? reporting : CompletableFuture.completedFuture(true));
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(1, REFUSED));

    outageRecorder.report();
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent().stream().filter(ReportOutage.class::isInstance))
        .hasSize(1);
  }

  @Test
  void failedReportIsRetried() {
    fakeCommandGateway.decide(
        _ -> CompletableFuture.failedFuture(new IllegalStateException("test")));
    outageRecorder.count(REFUSED);
    outageRecorder.recordLater(close(1, REFUSED));
    outageRecorder.report();
    fakeCommandGateway.decide(_ -> CompletableFuture.completedFuture(true));

    outageRecorder.report();
    outageRecorder.report();

    ReportOutage gap = new ReportOutage(NOON, NOON, "journal", 1, 0);
    assertThat(fakeCommandGateway.sent()).containsExactly(gap, gap, close(1, REFUSED));
  }

  @Test
  void refusedCloseIsRetried() {
    AbandonCall gone = abandon(1);
    fakeCommandGateway.stop();
    outageRecorder.record(gone);
    outageRecorder.report();
    fakeCommandGateway.decide(_ -> CompletableFuture.completedFuture(true));
    outageRecorder.report();
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent()).containsExactly(gone, gone, gone);
  }

  @Test
  void openCallsAreLimited() {
    for (int i = 0; i <= OPEN_CALLS_MAX; i++) {
      outageRecorder.count(REFUSED);
      outageRecorder.recordLater(close(i, REFUSED));
    }

    outageRecorder.report();
    outageRecorder.report();

    assertThat(fakeCommandGateway.sent())
        .hasSize(1 + OPEN_CALLS_MAX)
        .startsWith(new ReportOutage(NOON, NOON, "journal", OPEN_CALLS_MAX + 1, 0))
        .endsWith(close(OPEN_CALLS_MAX - 1, REFUSED));
  }

  private static CloseUnrecordedCall close(int call, Fault fault) {
    ErrorResponse errorResponse = new ErrorResponse(Dialect.MCP, -1, "no", null, null);
    return new CloseUnrecordedCall(call(call), "tool", fault, errorResponse, NOON, NOON);
  }

  private static AbandonCall abandon(int call) {
    return new AbandonCall(call(call), CallAbandoned.Cause.DISCONNECTED, NOON, NOON);
  }

  private static UUID call(int number) {
    return new UUID(0, number);
  }
}
