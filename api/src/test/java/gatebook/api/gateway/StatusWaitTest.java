package gatebook.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.events.TaskCreated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long the status of a task that runs elsewhere is waited for. */
final class StatusWaitTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID CALL = new UUID(0, 1);
  private static final CommandResult<TaskStatus> REFUSED =
      new CommandResult.Refused<>(FakeCommandGateway.STOPPED);
  private static final CommandResult<TaskStatus> WAITING = known(new TaskState.Waiting());
  private static final CommandResult<TaskStatus> ENDED = known(new CallOutcome.Cancelled());

  private final ImmediateTimer timer = new ImmediateTimer();
  private final Queue<CommandResult<TaskStatus>> statuses = new ArrayDeque<>();

  /** A timer that does not wait. */
  private static final class ImmediateTimer extends ScheduledThreadPoolExecutor {
    ImmediateTimer() {
      super(1, Thread.ofPlatform().daemon().factory());
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      return super.schedule(command, 0, unit);
    }
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void theStatusIsReadUntilItIsFinal() {
    statuses.addAll(List.of(WAITING, WAITING, ENDED, WAITING));

    assertThat(await(false)).isEqualTo(ENDED);
    assertThat(statuses).containsExactly(WAITING);
  }

  @Test
  void aRefusalIsTheAnswerOfACaller() {
    statuses.addAll(List.of(WAITING, REFUSED, ENDED));

    assertThat(await(false)).isEqualTo(REFUSED);
  }

  @Test
  void aRefusalIsWaitedOutWhenNobodyCanBeTold() {
    statuses.addAll(List.of(WAITING, REFUSED, REFUSED, ENDED));

    assertThat(await(true)).isEqualTo(ENDED);
  }

  @Test
  void aReadingThatThrowsEndsTheWait() {
    statuses.add(WAITING); // and then the queue throws

    assertThat(wait(false))
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withCauseInstanceOf(NoSuchElementException.class);
  }

  private CommandResult<TaskStatus> await(boolean outlastsRefusals) {
    return wait(outlastsRefusals).join();
  }

  private CompletableFuture<CommandResult<TaskStatus>> wait(boolean outlastsRefusals) {
    return new StatusWait(
            new StatusWait.Task(
                () -> CompletableFuture.completedFuture(statuses.remove()), Optional::empty),
            new StatusWait.Patience(60_000, _ -> true, outlastsRefusals),
            timer)
        .start();
  }

  private static CommandResult<TaskStatus> known(TaskState state) {
    return new CommandResult.Stored<>(
        new TaskStatus.Known(
            new TaskCreated(CALL, "t", TaskCreated.Form.OWN, NOON, 1, null, null),
            state,
            null,
            NOON,
            NOON,
            NOON,
            null));
  }
}
