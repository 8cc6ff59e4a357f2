package gatebook.command.tree;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.EXECUTION;
import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.cancel;
import static gatebook.command.GivenTree.cancelled;
import static gatebook.command.GivenTree.complete;
import static gatebook.command.GivenTree.completed;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.fail;
import static gatebook.command.GivenTree.failed;
import static gatebook.command.GivenTree.key;
import static gatebook.command.GivenTree.reopened;
import static gatebook.command.GivenTree.retried;
import static gatebook.command.GivenTree.retry;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.start;
import static gatebook.command.GivenTree.started;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.events.Event;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TreeStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The state machine of one task. */
@Timeout(300)
final class TreeTaskTransitionsTest {
  private static final TaskFault NOT_FOUND = new TaskFault.TaskNotFound("a");

  private final AxonTestFixture fixture =
      AxonTestFixture.with(GivenTree.configurer(GivenTree.RULES));

  /** What can be wanted of a task, what is then recorded, and from which states. */
  record Transition(Object command, Event event, List<TreeStatus> from) {}

  private static final List<Transition> TRANSITIONS =
      List.of(
          new Transition(start("a"), started("a", 1), List.of(TreeStatus.PENDING)),
          new Transition(retry("a", 1), retried("a", 2), List.of(TreeStatus.IN_PROGRESS)),
          new Transition(complete("a", 1), completed("a", 1), List.of(TreeStatus.IN_PROGRESS)),
          new Transition(fail("a", 1), failed("a", 1), List.of(TreeStatus.IN_PROGRESS)),
          new Transition(
              cancel("a"), cancelled("a"), List.of(TreeStatus.PENDING, TreeStatus.IN_PROGRESS)));

  private static final Map<TreeStatus, List<Event>> EVENTS =
      Map.of(
          TreeStatus.PENDING, List.of(created(root("a"))),
          TreeStatus.IN_PROGRESS, List.of(created(root("a")), started("a", 1)),
          TreeStatus.COMPLETED, List.of(created(root("a")), started("a", 1), completed("a", 1)),
          TreeStatus.FAILED, List.of(created(root("a")), started("a", 1), failed("a", 1)),
          TreeStatus.CANCELLED, List.of(created(root("a")), started("a", 1), cancelled("a")));

  static Stream<Arguments> transitions() {
    return TRANSITIONS.stream()
        .flatMap(transition ->
            Arrays.stream(TreeStatus.values()).map(from -> Arguments.of(from, transition)));
  }

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void onlyTransitionsOfTheStateMachineAreRecorded(TreeStatus from, Transition transition) {
    AxonTestPhase.Then.Command then = given(eventsOf(from)).command(transition.command).then();

    if (transition.from.contains(from)) {
      then.success().events(transition.event);
    } else {
      then.success().noEvents();
    }
  }

  @Test
  void startTellsTheAttempt() {
    given(eventsOf(TreeStatus.PENDING))
        .command(start("a"))
        .then()
        .resultMessagePayload(new StartTreeTask.Outcome.Started(1));
  }

  @Test
  void taskUpdatedSinceItWasReadIsNotStarted() {
    given(eventsOf(TreeStatus.PENDING))
        .command(new StartTreeTask(key("a"), EXECUTION, NOON.minusSeconds(1), CALL, NOON))
        .then()
        .resultMessagePayload(new StartTreeTask.Outcome.Changed())
        .noEvents();
  }

  @Test
  void taskThatRunsIsNotStartedAgain() {
    given(eventsOf(TreeStatus.IN_PROGRESS))
        .command(start("a"))
        .then()
        .resultMessagePayload(new StartTreeTask.Outcome.NotPending())
        .noEvents();
  }

  @Test
  void settledTaskThatWasCancelledMeanwhileStaysCancelled() {
    given(eventsOf(TreeStatus.CANCELLED))
        .command(complete("a", 1))
        .then()
        .resultMessagePayload(false)
        .noEvents();
  }

  @Test
  void outcomeOfAnEarlierAttemptIsDropped() {
    given(created(root("a")), started("a", 1), failed("a", 1), reopened("a", null), started("a", 2))
        .command(complete("a", 1))
        .then()
        .resultMessagePayload(false)
        .noEvents();
  }

  @Test
  void attemptThatWasRetriedIsOver() {
    given(created(root("a")), started("a", 1), retried("a", 2))
        .command(complete("a", 1))
        .then()
        .resultMessagePayload(false)
        .noEvents();
    given(created(root("a")), started("a", 1), retried("a", 2))
        .command(complete("a", 2))
        .then()
        .resultMessagePayload(true)
        .events(completed("a", 2));
  }

  @Test
  void retriedTaskRunsOnWithItsNextCall() {
    TreeTask task =
        Objects.requireNonNull(evolved(created(root("a")), started("a", 1), retried("a", 2)));

    assertThat(task.status()).isEqualTo(TreeStatus.IN_PROGRESS);
    assertThat(task.attempt()).isEqualTo(2);
    assertThat(task.callId()).isEqualTo(retried("a", 2).callId());
    assertThat(task.startedAt()).isEqualTo(started("a", 1).startedAt());
    assertThat(task.error()).isNull();
  }

  @Test
  void runningTaskIsSettled() {
    given(eventsOf(TreeStatus.IN_PROGRESS))
        .command(complete("a", 1))
        .then()
        .resultMessagePayload(true);
  }

  @Test
  void secretsInAnErrorAreNotRecorded() {
    given(eventsOf(TreeStatus.PENDING))
        .command(
            new CancelTreeTask(
                GivenTree.key("a"),
                "Authorization: Bearer a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
                EXECUTION,
                cancelled("a").cancelledAt()))
        .then()
        .eventsSatisfy(events ->
            assertThat(String.valueOf(events.getFirst().payload())).doesNotContain("a1B2c3D4"));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"COMPLETED", "FAILED", "CANCELLED"})
  void taskThatEndedCannotBeCancelled(TreeStatus ended) {
    given(eventsOf(ended))
        .command(cancel("a"))
        .then()
        .resultMessagePayload(
            new TreeOutcome.Refused(
                List.of(
                    new TaskFault.InvalidStateTransition(
                        "a", ended.word(), "cancelled", "Cannot transition from terminal state"))))
        .noEvents();
  }

  static Stream<List<Event>> noTask() {
    return Stream.of(
        List.of(created(root("b"))),
        List.of(
            created(root("a")),
            new TreeTaskDeleted(
                GivenTree.TREE, "a", OWNER, EXECUTION, cancelled("a").cancelledAt())));
  }

  @ParameterizedTest
  @MethodSource("noTask")
  void taskThatDoesNotExistIsNotFound(List<Event> events) {
    AxonTestPhase.When when = given(events.toArray(Event[]::new));

    when.command(cancel("a"))
        .then()
        .resultMessagePayload(new TreeOutcome.Refused(List.of(NOT_FOUND)))
        .noEvents();
    given(events.toArray(Event[]::new))
        .command(start("a"))
        .then()
        .resultMessagePayload(new StartTreeTask.Outcome.NotPending());
    given(events.toArray(Event[]::new))
        .command(complete("a", 1))
        .then()
        .resultMessagePayload(false);
  }

  @Test
  void taskOfAnotherOwnerIsNotFound() {
    given(eventsOf(TreeStatus.PENDING))
        .command(
            new CancelTreeTask(
                new TaskKey("eve", "a"), "mine", EXECUTION, cancelled("a").cancelledAt()))
        .then()
        .resultMessagePayload(new TreeOutcome.Refused(List.of(NOT_FOUND)));
  }

  @Test
  void reExecutionClearsErrorAndResult() {
    for (TreeStatus ended : List.of(TreeStatus.FAILED, TreeStatus.COMPLETED)) {
      TreeTask task = Objects.requireNonNull(evolved(eventsOf(ended)));
      TreeTask again = TreeTask.evolve(task, reopened("a", null));

      assertThat(task.endedAt()).isNotNull();
      assertThat(again)
          .isEqualTo(
              new TreeTask(
                  task.treeId(),
                  task.key(),
                  null,
                  task.content(),
                  TreeStatus.PENDING,
                  1,
                  1,
                  null,
                  null,
                  null,
                  null,
                  task.createdAt(),
                  task.updatedAt(),
                  null,
                  null,
                  TaskOrigin.OWN));
    }
  }

  @Test
  void retriesAreCountedFromTheStart() {
    TreeTask retried =
        Objects.requireNonNull(evolved(created(root("a")), started("a", 1), retried("a", 2)));
    assertThat(retried.attempt()).isEqualTo(2);
    assertThat(retried.firstAttempt()).isEqualTo(1);

    TreeTask again =
        Objects.requireNonNull(
            evolved(
                created(root("a")),
                started("a", 1),
                retried("a", 2),
                failed("a", 2),
                reopened("a", null),
                started("a", 3)));
    assertThat(again.attempt()).isEqualTo(3);
    assertThat(again.firstAttempt()).isEqualTo(3);
  }

  @Test
  void errorAndResultAreThereOnlyAfterTheirEnd() {
    for (TreeStatus status : TreeStatus.values()) {
      TreeTask task = Objects.requireNonNull(evolved(eventsOf(status)));
      assertThat(task.status()).isEqualTo(status);
      assertThat(task.result() != null).isEqualTo(status == TreeStatus.COMPLETED);
      assertThat(task.error() != null)
          .isEqualTo(status == TreeStatus.FAILED || status == TreeStatus.CANCELLED);
      assertThat(task.code() != null).isEqualTo(status == TreeStatus.FAILED);
      assertThat(task.startedAt() != null).isEqualTo(status != TreeStatus.PENDING);
      assertThat(task.endedAt() != null).isEqualTo(status.isTerminal());
    }
  }

  private static @Nullable TreeTask evolved(Event... events) {
    TreeTaskEntity entity = new TreeTaskEntity();
    TreeTask task = entity.task();
    for (Event event : events) {
      task = TreeTask.evolve(task, (TreeTaskEvent) event);
    }
    return task;
  }

  private static Event[] eventsOf(TreeStatus status) {
    return Objects.requireNonNull(EVENTS.get(status)).toArray(Event[]::new);
  }

  private AxonTestPhase.When given(Event... events) {
    return fixture.given().events((Object[]) events).when();
  }
}
