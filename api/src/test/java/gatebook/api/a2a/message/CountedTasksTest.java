package gatebook.api.a2a.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.a2a.upstream.TestOwners;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Stored tasks and owners are counted when the journal fails, too. */
final class CountedTasksTest {
  private static final UUID CALL = new UUID(1, 2);
  private static final Rules RULES = FixedToolsUpstream.rules();
  private static final TaskId TASK = TaskId.generate(CALL);
  private static final CommandResult<TaskStatus> REFUSED =
      new CommandResult.Refused<>(FakeCommandGateway.STOPPED);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final A2aMeters meters = new A2aMeters(registry);
  private final CompletableFuture<CommandResult<TaskStatus>> unreadable =
      CompletableFuture.completedFuture(REFUSED);

  @Test
  void operationThatTheJournalRefusesIsAnError() {
    assertThat(meters.counted(StoreOperation.GET, unreadable, A2aMeters::read))
        .isCompletedWithValue(REFUSED);
    CompletableFuture<CommandResult<TaskStatus>> failed =
        CompletableFuture.failedFuture(new IllegalStateException("failed"));
    assertThat(meters.counted(StoreOperation.CANCEL, failed, A2aMeters::cancelled))
        .isCompletedExceptionally();

    assertThat(counted(registry)).containsExactlyInAnyOrder("get error 1", "cancel error 1");
  }

  @Test
  void unreadableListOfTasksIsOneError() {
    assertThat(
            meters.countedReads(
                unreadable.thenApply(found -> CommandResult.all(List.of(found, found)))))
        .isCompleted();

    assertThat(counted(registry)).containsExactly("get error 1");
  }

  @Test
  void waitThatItsCallerEndsIsNotCounted() {
    CompletableFuture<CommandResult<TaskStatus>> wait = new CompletableFuture<>();
    var _ = meters.counted(StoreOperation.FOLLOW, wait, A2aMeters::read);
    boolean _ = wait.cancel(false);

    assertThat(counted(registry)).isEmpty();
  }

  @Test
  void unrecordedOwnersAreErrors() {
    OwnAgentTasks owners =
        TestOwners.of(_ -> FakeCommandGateway.refused(FakeCommandGateway.STOPPED), meters)
            .of("joe", RULES);
    AgentTaskKey key = new AgentTaskKey("planner", "t", null);

    assertThat(owners.find(key)).isCompleted();
    assertThat(owners.record(CALL, key, null)).isCompleted();
    assertThat(owners.status(TASK)).isCompleted();
    assertThat(owners.agentTask("planner", TASK)).isCompleted();

    assertThat(counted(registry)).containsExactlyInAnyOrder("get error 3", "create error 1");
  }

  static List<String> counted(SimpleMeterRegistry registry) {
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
