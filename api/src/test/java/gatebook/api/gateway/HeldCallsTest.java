package gatebook.api.gateway;

import static gatebook.api.gateway.SettableClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.gateway.quota.GivenQuotas;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.gate.GateInput;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.call.Action;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HeldCallsTest {

  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Instant HELD_UNTIL = NOON.plusSeconds(300);
  private static final Principal ADA = new Principal("ada", List.of(), Map.of());
  private static final Rules RULES = RulesFixture.rules(Action.APPROVE, GatewayLimits.DEFAULT);
  private static final ResumeOutcome FORWARDED = new ResumeOutcome.Forwarded(RulesFixture.SOURCE);
  static final HeldCall HOLD =
      new HeldCall(
          new ReceiveCall(
              CALL,
              "c",
              null,
              new DialectVersion(Dialect.MCP, null),
              Transport.HTTP,
              NOON,
              "tools/call",
              "1",
              ADA,
              new Intent.Act("tool", GateInput.TargetKind.TOOL),
              null,
              null,
              null,
              RULES.hash(),
              null),
          new GateInput(ADA, "tools/call", "tool", GateInput.TargetKind.TOOL, null, NOON),
          RulesFixture.approvalRequest(CALL, NOON, HELD_UNTIL));

  private final SettableClock clock = new SettableClock();
  private final FakeCommandGateway fakeCommandGateway =
      FakeCommandGateway.withOutcome(new ResumeOutcome.StillHeld());
  private final NodeQuotas quotas = GivenQuotas.quotas();
  private final Alarms alarms = new Alarms();
  private volatile Rules rules = RULES;
  private final HeldCalls heldCalls =
      new HeldCalls(new CommandSender(fakeCommandGateway), this::rules, clock, alarms, quotas);

  @BeforeEach
  void takeQuota() {
    quotas.takeAnyway(QuotaRequest.ofHeld(HOLD.call(), null, Rules.NONE));
  }

  @AfterEach
  void stop() {
    alarms.shutdownNow();
  }

  @Test
  void callDecidedBeforeItsHoldResumesAtOnce() {
    outcome(FORWARDED);

    assertThat(heldCalls.hold(HOLD)).isCompletedWithValue(new CommandResult.Stored<>(FORWARDED));
    assertEnded(tried(0));
  }

  @Test
  void callResumesAfterADecision() {
    var waiting = heldCalls.hold(HOLD);
    assertThat(waiting).isNotDone();
    assertThat(heldCalls.count()).isEqualTo(1);
    clock.set(NOON.plusSeconds(5));
    outcome(FORWARDED);

    heldCalls.onDecision(UUID.randomUUID());
    assertThat(waiting).isNotDone();
    heldCalls.onDecision(CALL);

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(FORWARDED));
    assertEnded(tried(0), tried(5));
  }

  @Test
  void callIsTriedWhenItsTimeIsUp() {
    clock.set(NOON.plusSeconds(1));
    var waiting = heldCalls.hold(HOLD);
    assertThat(alarms.delayMillis()).isEqualTo(299_001);
    clock.set(HELD_UNTIL);
    outcome(new ResumeOutcome.Gone());

    alarms.fire();

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(new ResumeOutcome.Gone()));
    assertEnded(tried(1), tried(300));
  }

  @Test
  void pastDeadlineDoesNotWait() {
    clock.set(HELD_UNTIL.plusSeconds(9));

    var _ = heldCalls.hold(HOLD);

    assertThat(alarms.delayMillis()).isEqualTo(1);
  }

  @Test
  void changedRulesAreTriedAtOnce() {
    var waiting = heldCalls.hold(HOLD);
    rules = RulesFixture.rules("sha256:2", Action.DENY, GatewayLimits.DEFAULT);
    outcome(FORWARDED);

    heldCalls.resumeAll();

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(FORWARDED));
    assertEnded(tried(0), new ResumeCall(HOLD, rules.hash(), NOON));
  }

  @Test
  void callOfADisconnectedCallerIsNotTriedAgain() {
    var waiting = heldCalls.hold(HOLD);

    heldCalls.forget(CALL);
    heldCalls.onDecision(CALL);
    heldCalls.resumeAll();

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(new ResumeOutcome.Gone()));
    assertEnded(tried(0));
  }

  @Test
  void outcomeAfterADisconnectIsIgnored() {
    CompletableFuture<ResumeOutcome> decision = new CompletableFuture<>();
    fakeCommandGateway.decide(_ -> decision);
    var waiting = heldCalls.hold(HOLD);

    heldCalls.forget(CALL);
    decision.complete(FORWARDED);

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(new ResumeOutcome.Gone()));
  }

  @Test
  void triesAreCoalescedAndDoNotOverlap() {
    CompletableFuture<ResumeOutcome> first = new CompletableFuture<>();
    fakeCommandGateway.decide(_ -> first);
    var waiting = heldCalls.hold(HOLD);
    heldCalls.onDecision(CALL);
    heldCalls.resumeAll();
    assertThat(fakeCommandGateway.sent()).containsExactly(tried(0));
    clock.set(NOON.plusSeconds(5));
    outcome(FORWARDED);

    first.complete(new ResumeOutcome.StillHeld());

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(FORWARDED));
    assertEnded(tried(0), tried(5));
  }

  @Test
  void refusedResumptionIsRetriedBeforeTheDeadline() {
    fakeCommandGateway.stop();
    var waiting = heldCalls.hold(HOLD);
    clock.set(HELD_UNTIL.minusMillis(1));
    heldCalls.resumeAll();
    assertThat(waiting).isNotDone();
    assertThat(quotas.heldCount()).isEqualTo(1);
    outcome(FORWARDED);

    heldCalls.resumeAll();

    assertThat(waiting).isCompletedWithValue(new CommandResult.Stored<>(FORWARDED));
    assertEnded(tried(0), tried(299.999), tried(299.999));
  }

  @Test
  void refusedResumptionAfterTheDeadlineEndsTheHold() {
    var waiting = heldCalls.hold(HOLD);
    fakeCommandGateway.stop();
    clock.set(HELD_UNTIL);

    alarms.fire();

    assertThat(waiting)
        .isCompletedWithValue(new CommandResult.Refused<>(FakeCommandGateway.STOPPED));
    assertEnded(tried(0), tried(300));
  }

  @Test
  void failureEndsTheHoldAndReleasesTheQuota() {
    fakeCommandGateway.decide(
        _ -> CompletableFuture.failedFuture(new IllegalStateException("for the test")));

    var waiting = heldCalls.hold(HOLD);

    assertThatThrownBy(waiting::join).hasRootCauseMessage("for the test");
    assertEnded(tried(0));
  }

  @Test
  void callThatCannotBeScheduledReleasesItsQuota() {
    alarms.shutdownNow();

    var waiting = heldCalls.hold(HOLD);

    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
    assertEnded();
  }

  @Test
  void callNotHeldAfterAllReleasesItsQuota() {
    heldCalls.release(CALL);
    heldCalls.release(CALL);

    assertThat(heldCalls.count()).isZero();
  }

  private Rules rules() {
    return rules;
  }

  private void outcome(ResumeOutcome resumeOutcome) {
    fakeCommandGateway.decide(_ -> CompletableFuture.completedFuture(resumeOutcome));
  }

  private static ResumeCall tried(double afterSeconds) {
    return new ResumeCall(HOLD, RULES.hash(), NOON.plusMillis(Math.round(afterSeconds * 1_000)));
  }

  /** No call is held, no timer runs, and these were the tries. */
  private void assertEnded(Object... tries) {
    int soFar = fakeCommandGateway.sent().size();
    heldCalls.onDecision(CALL);
    heldCalls.resumeAll();
    assertThat(fakeCommandGateway.sent()).hasSize(soFar).containsExactly(tries);
    assertThat(heldCalls.count()).isZero();
    assertThat(alarms.pending()).isFalse();
  }

  /** A timer that fires when the test calls it. */
  private static final class Alarms extends ScheduledThreadPoolExecutor {
    private Runnable action = () -> {};
    private long delayMillis = -1;
    private CompletableFuture<Void> alarm = CompletableFuture.completedFuture(null);

    Alarms() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      if (isShutdown()) {
        throw new RejectedExecutionException("for the test");
      }
      action = command;
      delayMillis = unit.toMillis(delay);
      alarm = new CompletableFuture<>();
      return new Alarm(alarm);
    }

    long delayMillis() {
      return delayMillis;
    }

    boolean pending() {
      return !alarm.isDone();
    }

    void fire() {
      assertThat(pending()).isTrue();
      alarm.complete(null);
      action.run();
    }
  }

  private record Alarm(CompletableFuture<Void> done) implements ScheduledFuture<Void> {
    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      return done.cancel(mayInterrupt);
    }

    @Override
    public boolean isCancelled() {
      return done.isCancelled();
    }

    @Override
    public boolean isDone() {
      return done.isDone();
    }

    @Override
    public Void get() {
      return done.join();
    }

    @Override
    public Void get(long timeout, TimeUnit unit) {
      return done.join();
    }
  }
}
