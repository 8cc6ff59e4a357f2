package gatebook.api.a2a.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.CountedCallerTasks;
import gatebook.api.a2a.upstream.AgentTaskOwners;
import gatebook.api.a2a.upstream.TestOwners;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Stored tasks and owners are counted when the journal fails, too. */
final class CountedTasksTest {
  private static final UUID CALL = new UUID(1, 2);
  private static final Rules RULES = FixedToolsUpstream.rules();
  private static final TaskId TASK = TaskId.generate(CALL);
  private static final Ended UNAVAILABLE =
      new Ended.Failure(new ServiceUnavailable(Cause.JOURNAL, null));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final A2aMeters meters = new A2aMeters(registry);
  private final CompletableFuture<Optional<TaskStatus>> change = new CompletableFuture<>();
  private final CallerTasks tasks = new CountedCallerTasks(new UnreadableTasks(change), meters);

  /** Tasks that no journal has. */
  private record UnreadableTasks(CompletableFuture<Optional<TaskStatus>> change)
      implements CallerTasks {
    @Override
    public CompletableFuture<Ended> status(TaskId task, Function<TaskStatus, Ended> toEnded) {
      return CompletableFuture.completedFuture(UNAVAILABLE);
    }

    @Override
    public CompletableFuture<Ended> statuses(
        List<TaskId> ids, Function<List<TaskStatus>, Ended> toEnded) {
      return CompletableFuture.completedFuture(UNAVAILABLE);
    }

    @Override
    public CompletableFuture<Ended> await(
        TaskId task,
        long millisMax,
        Predicate<TaskStatus.Known> waitWhile,
        Function<TaskStatus, Ended> toEnded) {
      return status(task, toEnded);
    }

    @Override
    public CompletableFuture<Optional<TaskStatus>> awaitChange(TaskId task, TaskState state) {
      return change;
    }

    @Override
    public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> toEnded) {
      return CompletableFuture.failedFuture(new IllegalStateException("failed"));
    }
  }

  @Test
  void unreadableTaskIsAnError() {
    assertThat(tasks.status(TASK, _ -> UNAVAILABLE)).isCompletedWithValue(UNAVAILABLE);
    assertThat(tasks.cancel(TASK, _ -> UNAVAILABLE)).isCompletedExceptionally();

    assertThat(counted()).containsExactlyInAnyOrder("get error 1", "cancel error 1");
  }

  @Test
  void unreadableListOfTasksIsOneError() {
    assertThat(tasks.statuses(List.of(TASK, TASK), _ -> UNAVAILABLE))
        .isCompletedWithValue(UNAVAILABLE);

    assertThat(counted()).containsExactly("get error 1");
  }

  @Test
  void changeThatCannotBeReadIsAnError() {
    CompletableFuture<Optional<TaskStatus>> followed =
        tasks.awaitChange(TASK, new TaskState.Working());
    assertThat(counted()).isEmpty();

    change.complete(Optional.empty());

    assertThat(followed).isCompletedWithValue(Optional.empty());
    assertThat(counted()).containsExactly("follow error 1");
  }

  @Test
  void cancelledWaitIsNotCounted() {
    boolean _ = tasks.awaitChange(TASK, new TaskState.Working()).cancel(false);

    assertThat(change).isCancelled();
    assertThat(counted()).isEmpty();
  }

  @Test
  void unrecordedOwnersAreErrors() {
    AgentTaskOwners owners =
        TestOwners.of(_ -> FakeCommandGateway.refused(FakeCommandGateway.STOPPED), meters);
    AgentTaskKey key = new AgentTaskKey("planner", "t", null);

    assertThat(owners.find(key, "joe", RULES)).isCompleted();
    assertThat(owners.record(CALL, key, null, "joe", RULES)).isCompleted();
    assertThat(owners.status(TASK, "joe", RULES)).isCompleted();
    assertThat(owners.agentTask("planner", TASK, "joe", RULES)).isCompleted();

    assertThat(counted()).containsExactlyInAnyOrder("get error 3", "create error 1");
  }

  private List<String> counted() {
    return registry.find("gatebook.a2a.store.operations").counters().stream()
        .filter(counter -> counter.count() > 0)
        .map(CountedTasksTest::text)
        .toList();
  }

  private static String text(Counter counter) {
    return "%s %s %d"
        .formatted(
            counter.getId().getTag("operation"),
            counter.getId().getTag("result"),
            (long) counter.count());
  }
}
