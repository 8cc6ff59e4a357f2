package gatebook.api.border;

import static gatebook.api.border.SetClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.Tongue;
import gatebook.command.gate.Asked;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Hold;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.resume.ResumeCall;
import gatebook.command.resume.Resumption;
import gatebook.command.rules.Limits;
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

final class HoldsTest {

  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Instant HELD_UNTIL = NOON.plusSeconds(300);
  private static final Principal ADA = new Principal("ada", List.of(), Map.of());
  private static final Rules RULES = Given.rules(Action.APPROVE, Limits.DEFAULT);
  private static final Resumption FORWARDED = new Resumption.Forwarded(Given.SOURCE);
  private static final Hold HOLD =
      new Hold(
          new ReceiveCall(
              CALL,
              "c",
              null,
              new Tongue(Dialect.MCP, null),
              Transport.HTTP,
              NOON,
              "tools/call",
              "1",
              ADA,
              new Aim.Act("tool", Asked.On.TOOL),
              null,
              null,
              null,
              RULES),
          new Asked(ADA, "tools/call", "tool", Asked.On.TOOL, null, NOON),
          Given.question(CALL, NOON, HELD_UNTIL));

  private final SetClock clock = new SetClock();
  private final Commands commands = Commands.comingTo(new Resumption.StillHeld());
  private final HeldSeats seats = new HeldSeats();
  private final Alarms alarms = new Alarms();
  private volatile Rules rules = RULES;
  private final Holds holds = new Holds(new Decisions(commands), this::rules, clock, alarms, seats);

  @BeforeEach
  void takeASeat() {
    seats.take(CALL, "ada", Limits.DEFAULT);
  }

  @AfterEach
  void stop() {
    alarms.shutdownNow();
  }

  @Test
  void aCallThatWasDecidedBeforeItWaitedGoesOnAtOnce() {
    outcome(FORWARDED);

    assertThat(holds.hold(HOLD)).isCompletedWithValue(new Recorded.Done<>(FORWARDED));
    assertOver(tried(0));
  }

  @Test
  void aCallGoesOnWhenSomebodyDecided() {
    var waiting = holds.hold(HOLD);
    assertThat(waiting).isNotDone();
    assertThat(holds.count()).isEqualTo(1);
    clock.set(NOON.plusSeconds(5));
    outcome(FORWARDED);

    holds.decided(UUID.randomUUID());
    assertThat(waiting).isNotDone();
    holds.decided(CALL);

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(FORWARDED));
    assertOver(tried(0), tried(5));
  }

  @Test
  void aCallIsTriedWhenItsTimeIsUp() {
    clock.set(NOON.plusSeconds(1));
    var waiting = holds.hold(HOLD);
    assertThat(alarms.delayMillis()).isEqualTo(299_001);
    clock.set(HELD_UNTIL);
    outcome(new Resumption.Gone());

    alarms.ring();

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(new Resumption.Gone()));
    assertOver(tried(1), tried(300));
  }

  @Test
  void aTimeThatIsUpAlreadyIsNoTimeToWait() {
    clock.set(HELD_UNTIL.plusSeconds(9));

    var _ = holds.hold(HOLD);

    assertThat(alarms.delayMillis()).isEqualTo(1);
  }

  @Test
  void otherRulesAreAskedAtOnce() {
    var waiting = holds.hold(HOLD);
    rules = Given.rules(Action.DENY, Limits.DEFAULT);
    outcome(FORWARDED);

    holds.tryAll();

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(FORWARDED));
    assertOver(tried(0), new ResumeCall(HOLD, rules, NOON));
  }

  @Test
  void aCallWhoseCallerIsGoneIsTriedNoMore() {
    var waiting = holds.hold(HOLD);

    holds.forget(CALL);
    holds.decided(CALL);
    holds.tryAll();

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(new Resumption.Gone()));
    assertOver(tried(0));
  }

  @Test
  void whatComesOfACallWhoseCallerIsGoneIsNobodysBusiness() {
    CompletableFuture<Resumption> deciding = new CompletableFuture<>();
    commands.decide(_ -> deciding);
    var waiting = holds.hold(HOLD);

    holds.forget(CALL);
    deciding.complete(FORWARDED);

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(new Resumption.Gone()));
  }

  @Test
  void aCallIsTriedOnceAtATimeAndOnceMoreForAllThatWokeItMeanwhile() {
    CompletableFuture<Resumption> first = new CompletableFuture<>();
    commands.decide(_ -> first);
    var waiting = holds.hold(HOLD);
    holds.decided(CALL);
    holds.tryAll();
    assertThat(commands.sent()).containsExactly(tried(0));
    clock.set(NOON.plusSeconds(5));
    outcome(FORWARDED);

    first.complete(new Resumption.StillHeld());

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(FORWARDED));
    assertOver(tried(0), tried(5));
  }

  @Test
  void whatCannotBeRecordedIsTriedAgainWhileThereIsTime() {
    commands.stop();
    var waiting = holds.hold(HOLD);
    clock.set(HELD_UNTIL.minusMillis(1));
    holds.tryAll();
    assertThat(waiting).isNotDone();
    assertThat(seats.count()).isEqualTo(1);
    outcome(FORWARDED);

    holds.tryAll();

    assertThat(waiting).isCompletedWithValue(new Recorded.Done<>(FORWARDED));
    assertOver(tried(0), tried(299.999), tried(299.999));
  }

  @Test
  void whatCannotBeRecordedWhenTheTimeIsUpIsOver() {
    var waiting = holds.hold(HOLD);
    commands.stop();
    clock.set(HELD_UNTIL);

    alarms.ring();

    assertThat(waiting).isCompletedWithValue(new Recorded.Not<>(Commands.STOPPED));
    assertOver(tried(0), tried(300));
  }

  @Test
  void aFaultOfOursEndsTheHoldAndGivesTheSeatBack() {
    commands.decide(_ -> CompletableFuture.failedFuture(new IllegalStateException("for the test")));

    var waiting = holds.hold(HOLD);

    assertThatThrownBy(waiting::join).hasRootCauseMessage("for the test");
    assertOver(tried(0));
  }

  @Test
  void aCallThatCannotBeMadeToWaitGivesItsSeatBack() {
    alarms.shutdownNow();

    var waiting = holds.hold(HOLD);

    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
    assertOver();
  }

  @Test
  void aCallThatWasNotHeldAfterAllGivesItsSeatBack() {
    holds.leave(CALL);
    holds.leave(CALL);

    assertThat(holds.count()).isZero();
  }

  private Rules rules() {
    return rules;
  }

  private void outcome(Resumption resumption) {
    commands.decide(_ -> CompletableFuture.completedFuture(resumption));
  }

  private static ResumeCall tried(double afterSeconds) {
    return new ResumeCall(HOLD, RULES, NOON.plusMillis(Math.round(afterSeconds * 1_000)));
  }

  /** Nothing waits, nothing will wake it, and so often it was tried. */
  private void assertOver(Object... tries) {
    int soFar = commands.sent().size();
    holds.decided(CALL);
    holds.tryAll();
    assertThat(commands.sent()).hasSize(soFar).containsExactly(tries);
    assertThat(holds.count()).isZero();
    assertThat(alarms.pending()).isFalse();
  }

  /** A timer that rings when the test says. */
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

    void ring() {
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
