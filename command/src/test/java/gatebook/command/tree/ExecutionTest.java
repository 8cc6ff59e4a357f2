package gatebook.command.tree;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.EXECUTION;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.cancelled;
import static gatebook.command.GivenTree.completed;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.deleted;
import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.execute;
import static gatebook.command.GivenTree.executeWithCascade;
import static gatebook.command.GivenTree.executionEnded;
import static gatebook.command.GivenTree.executionStarted;
import static gatebook.command.GivenTree.failed;
import static gatebook.command.GivenTree.reopened;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.started;
import static gatebook.command.GivenTree.updated;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.ExecutionDecider;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.events.Event;
import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When an execution starts, what it runs again, and when it ends. */
@Timeout(300)
final class ExecutionTest {
  private static final TreeOutcome DONE = new TreeOutcome.Done();

  private final AxonTestFixture fixture =
      AxonTestFixture.with(GivenTree.configurer(GivenTree.RULES));
  private final List<Event> history = new ArrayList<>();

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @Test
  void pendingTreeIsExecuted() {
    given(created(root("a", "b")), created(draft("b", "a")));

    when(execute("a")).resultMessagePayload(DONE).events(executionStarted("a"));
  }

  @Test
  void taskThatDoesNotExistIsNotExecuted() {
    given(created(root("a")));

    refuses(execute("x"), new TaskFault.TaskNotFound("x"));
  }

  @Test
  void taskOfAnotherOwnerIsNotExecuted() {
    given(created(root("a")));

    refuses(
        new StartExecution(
            TREE,
            "eve",
            "a",
            EXECUTION,
            false,
            null,
            CALL,
            GivenTree.CORRELATION,
            NOON,
            GivenTree.RULES.hash(),
            ListedTools.NONE),
        new TaskFault.TaskNotFound("a"));
  }

  @Test
  void tasksThatRunAreReportedTogether() {
    given(created(root("a")), created(draft("b", "a")), created(draft("c", "a")));
    given(executionStarted("a"), started("b", 1), started("c", 1));

    refuses(
        execute("a"),
        new TaskFault.TaskAlreadyExecuting("b"),
        new TaskFault.TaskAlreadyExecuting("c"));
  }

  @Test
  void treeIsNotExecutedTwiceAtOnce() {
    given(created(root("a")), created(draft("b", "a")), created(draft("c", "a")));
    given(executionStarted("a"), started("c", 1));

    refuses(execute("b"), new TaskFault.TaskAlreadyExecuting("b"));
  }

  @Test
  void executionThatRunsNoTaskIsBetweenTasks() {
    given(created(root("a")), created(draft("b", "a")), executionStarted("b"));

    when(execute("a"))
        .resultMessagePayload(new TreeOutcome.BetweenTasks(new TaskFault.TaskAlreadyExecuting("a")))
        .noEvents();
  }

  @Test
  void stateOfTheTaskComesBeforeAnOpenExecution() {
    given(created(root("a")), executionStarted("a"), started("a", 1), completed("a", 1));

    refuses(execute("a"), terminal("completed"));
  }

  @Test
  void treeIsExecutedAgainAfterTheEnd() {
    given(created(root("a")), created(draft("b", "a")));
    given(executionStarted("b"), executionEnded(TreeStatus.COMPLETED));

    when(execute("a")).resultMessagePayload(DONE).events(executionStarted("a"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void taskThatWasCompletedIsNotExecuted(boolean cascade) {
    given(created(root("a")), started("a", 1), completed("a", 1));

    refuses(cascade ? executeWithCascade("a") : execute("a"), terminal("completed"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void taskThatWasCancelledIsNotExecuted(boolean cascade) {
    given(created(root("a")), cancelled("a"));

    refuses(cascade ? executeWithCascade("a") : execute("a"), terminal("cancelled"));
  }

  @Test
  void stateOfTheTaskComesBeforeItsDependencies() {
    given(created(root("a", "b")), created(draft("b", "a")), cancelled("b"), cancelled("a"));

    refuses(execute("a"), terminal("cancelled"));
  }

  @Test
  void cancelledDependenciesAreReportedTogether() {
    given(created(root("a", "b", "c?", "d", "e")), created(draft("b", "a")));
    given(created(draft("c", "a")), created(draft("d", "a")), created(draft("e", "a")));
    given(cancelled("b"), cancelled("c"), cancelled("d"));

    refuses(execute("a"), new TaskFault.DependencyNotSatisfied("a", List.of("b", "d")));
  }

  @Test
  void cancelledOptionalDependencyIsNoObstacle() {
    given(created(root("a", "b?")), created(draft("b", "a")), cancelled("b"));

    when(execute("a")).resultMessagePayload(DONE).events(executionStarted("a"));
  }

  @Test
  void failedDependencyIsExecutedAgain() {
    given(created(root("a", "b")), created(draft("b", "a")), started("b", 1), failed("b", 1));

    when(execute("a"))
        .resultMessagePayload(DONE)
        .events(reopened("b", null), executionStarted("a"));
  }

  @Test
  void onlyFailedTasksAreExecutedAgain() {
    given(created(root("a", "b?", "c?", "d")), created(draft("b", "a")), created(draft("c", "a")));
    given(created(draft("d", "a", "c?")), cancelled("b"), started("c", 1), failed("c", 1));
    given(started("d", 1), completed("d", 1));

    when(execute("a"))
        .resultMessagePayload(DONE)
        .events(reopened("c", null), executionStarted("a"));
  }

  @Test
  void childIsExecutedWithWhatItDependsOnAlone() {
    given(created(root("a", "b")), created(draft("b", "a", "c")), created(draft("c", "a")));
    given(created(draft("d", "a")), started("c", 1), failed("c", 1), started("d", 1));
    given(failed("d", 1));

    when(execute("b"))
        .resultMessagePayload(DONE)
        .events(reopened("c", null), executionStarted("b"));
    assertThat(scopeAfter(reopened("c", null), executionStarted("b"))).containsExactly("b", "c");
  }

  @Test
  void rootIsExecutedWithTheWholeTree() {
    given(created(root("a")), created(draft("b", "a")), created(draft("c", "b")));

    assertThat(scopeAfter(executionStarted("a"))).containsExactly("a", "b", "c");
  }

  @Test
  void cascadeExecutesEndedDependentsAgain() {
    given(created(root("a", "b?")), created(draft("b", "a", "c?")), created(draft("c", "a")));
    given(created(draft("d", "a", "c?")), created(draft("e", "a", "c")), created(draft("f", "a")));
    given(started("c", 1), failed("c", 1), started("b", 1), completed("b", 1), started("a", 1));
    given(completed("a", 1), cancelled("d"), started("f", 1), completed("f", 1));

    when(executeWithCascade("c"))
        .resultMessagePayload(DONE)
        .events(
            reopened("c", null),
            reopened("b", "c"),
            reopened("d", "c"),
            reopened("a", "b"),
            executionStarted("c"));
  }

  @Test
  void dependentsOfACascadeAreExecutedToo() {
    given(created(root("a", "b?")), created(draft("b", "a")), started("b", 1), failed("b", 1));
    given(started("a", 1), completed("a", 1));

    assertThat(scopeAfter(reopened("b", null), reopened("a", "b"), executionStarted("b")))
        .containsExactly("b", "a");
    assertThat(scopeAfter(executionEnded(TreeStatus.COMPLETED))).isEmpty();
    assertThat(scopeAfter(executionStarted("b"))).containsExactly("b");
  }

  @Test
  void completedTaskIsExecutedAgainByItsFailedDependency() {
    given(created(root("a", "b?")), created(draft("b", "a")), started("b", 1), failed("b", 1));
    given(started("a", 1), completed("a", 1));

    refuses(execute("a"), terminal("completed"));
    when(executeWithCascade("a"))
        .resultMessagePayload(DONE)
        .events(reopened("b", null), reopened("a", "b"), executionStarted("a"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cascadeExecutesWhatFailedBelowAnEndedRoot(boolean completed) {
    given(created(root("a", "d")), created(draft("b", "a")), created(draft("c", "b", "b?")));
    given(created(draft("d", "a")), cancelled("d"), started("b", 1), failed("b", 1));
    given(started("c", 1), completed("c", 1), started("a", 1));
    given(completed ? completed("a", 1) : cancelled("a"));

    refuses(execute("a"), terminal(completed ? "completed" : "cancelled"));
    when(executeWithCascade("a"))
        .resultMessagePayload(DONE)
        .events(reopened("b", null), reopened("c", "b"), executionStarted("a"));
  }

  @Test
  void cascadeExecutesWhatIsPendingBelowAnEndedRoot() {
    given(created(root("a")), started("a", 1), completed("a", 1), created(draft("b", "a")));

    refuses(execute("a"), terminal("completed"));
    when(executeWithCascade("a")).resultMessagePayload(DONE).events(executionStarted("a"));
  }

  @Test
  void cancelledDependencyThatTheCascadeReopensIsNoObstacle() {
    given(created(root("a", "b")), created(draft("b", "a", "c?")), created(draft("c", "a")));
    given(started("c", 1), failed("c", 1), cancelled("b"));

    refuses(execute("a"), new TaskFault.DependencyNotSatisfied("a", List.of("b")));
    when(executeWithCascade("a"))
        .resultMessagePayload(DONE)
        .events(reopened("c", null), reopened("b", "c"), executionStarted("a"));
  }

  @Test
  void nextAttemptIsCountedOn() {
    given(created(root("a")), started("a", 1), failed("a", 1), reopened("a", null));

    when(GivenTree.start("a"))
        .resultMessagePayload(new StartTreeTask.Outcome.Started(2))
        .events(started("a", 2));
  }

  @Test
  void executionEndsOnce() {
    given(created(root("a")), executionStarted("a"));
    EndExecution end = end(EXECUTION, "a");

    when(end).resultMessagePayload(true).events(executionEnded(TreeStatus.FAILED, "a"));
    given(executionEnded(TreeStatus.FAILED, "a"));
    when(end).resultMessagePayload(true).noEvents();
  }

  @ParameterizedTest
  @MethodSource
  void executionKnowsWhatTheOwnerChangedBeforeItEnds(Event change) {
    given(created(root("a")), created(draft("b", "a")), executionStarted("a"), change);

    when(end(0)).resultMessagePayload(false).noEvents();
    when(end(Long.MAX_VALUE)).resultMessagePayload(true).events(executionEnded(TreeStatus.FAILED));
  }

  static List<Event> executionKnowsWhatTheOwnerChangedBeforeItEnds() {
    return List.of(cancelled("b"), updated(draft("b", "a")), deleted("b"));
  }

  @Test
  void executionEndsAfterWhatItDidItself() {
    given(created(root("a")), executionStarted("a"), started("a", 1), completed("a", 1));

    when(end(0)).resultMessagePayload(true).events(executionEnded(TreeStatus.FAILED));
  }

  @Test
  void oneProcessTakesAnExecutionOver() {
    TreeExecutionStarted started = executionStarted("a");
    given(created(root("a")), started);
    TakeOverExecution takeOver =
        new TakeOverExecution(
            TREE, EXECUTION, started.startedAt(), started.startedAt().plusSeconds(9));

    when(takeOver)
        .resultMessagePayload(true)
        .events(
            new TreeExecutionStarted(
                TREE,
                started.owner(),
                EXECUTION,
                "a",
                started.callId(),
                true,
                takeOver.at(),
                null,
                GivenTree.CORRELATION));
    given(
        new TreeExecutionStarted(
            TREE,
            started.owner(),
            EXECUTION,
            "a",
            started.callId(),
            true,
            takeOver.at(),
            null,
            GivenTree.CORRELATION));
    when(takeOver).resultMessagePayload(false).noEvents();
  }

  @Test
  void anotherExecutionIsNotEnded() {
    given(created(root("a")), executionStarted("a"));

    when(end(new UUID(1, 2))).resultMessagePayload(true).noEvents();
  }

  @Test
  void tasksThatAreCreatedMeanwhileAreNotExecuted() {
    assertThat(scopeAfter(created(root("a")), executionStarted("a"), created(draft("b", "a"))))
        .containsExactly("a");
    assertThat(scopeAfter(executionEnded(TreeStatus.COMPLETED), executionStarted("a")))
        .containsExactly("a", "b");
  }

  @Test
  void onlySomeBlockedTasksAreNamed() {
    given(created(root("a")), executionStarted("a"));
    String[] ids = IntStream.range(0, 10_000).mapToObj(Integer::toString).toArray(String[]::new);

    when(end(EXECUTION, ids))
        .eventsSatisfy(events ->
            assertThat(events.getFirst().payload())
                .isInstanceOfSatisfying(
                    TreeExecutionEnded.class,
                    ended -> assertThat(ended.blocked()).hasSize(ExecutionDecider.BLOCKED_MAX)));
  }

  private static EndExecution end(UUID executionId, String... blocked) {
    return new EndExecution(
        TREE, executionId, TreeStatus.FAILED, List.of(blocked), Long.MAX_VALUE, NOON);
  }

  private static EndExecution end(long seen) {
    return new EndExecution(TREE, EXECUTION, TreeStatus.FAILED, List.of(), seen, NOON);
  }

  private static TaskFault terminal(String current) {
    return new TaskFault.InvalidStateTransition(
        "a", current, "in_progress", "Cannot transition from terminal state");
  }

  private void given(Event... events) {
    history.addAll(Arrays.asList(events));
  }

  private AxonTestPhase.Then.Command when(Object command) {
    return fixture.given().events(history.toArray()).when().command(command).then();
  }

  private void refuses(Object command, TaskFault... faults) {
    when(command).resultMessagePayload(new TreeOutcome.Refused(List.of(faults))).noEvents();
  }

  private List<String> scopeAfter(Event... events) {
    given(events);
    TreeTasks tasks = new TreeTasks();
    history.forEach(event -> tasks.evolve((TreeEvent) event));
    return tasks.executionScope().stream().map(TreeTask::id).toList();
  }
}
