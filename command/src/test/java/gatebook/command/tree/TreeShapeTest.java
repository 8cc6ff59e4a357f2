package gatebook.command.tree;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.change;
import static gatebook.command.GivenTree.createTree;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.executionStarted;
import static gatebook.command.GivenTree.failed;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.started;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenSources;
import gatebook.command.GivenTree;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.events.Event;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.Obstacle;
import gatebook.events.fault.TaskFault.TreeDefect;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may be created, added, updated and deleted. */
@Timeout(300)
final class TreeShapeTest {
  private static final UUID OTHER_TREE = new UUID(1, 2);

  private final AxonTestFixture fixture =
      AxonTestFixture.with(GivenTree.configurer(GivenTree.RULES));

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @Test
  void treeIsCreatedWithAllItsTasks() {
    given()
        .command(createTree(root("a", "b"), draft("b", "a")))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(created(root("a", "b")), created(draft("b", "a")));
  }

  @Test
  void nothingIsCreatedUnlessEverythingIsRight() {
    refuses(
        given().command(createTree(root("a"), draft("b", "x"))),
        new TaskFault.InvalidParentReference("b", "x", null));
    refuses(given().command(createTree()), new TaskFault.TaskTreeInvalid(TreeDefect.NO_ROOT, null));
  }

  @Test
  void idsThatAreTakenAreReportedTogether() {
    refuses(
        given(created(root("a")), created(draft("b", "a")))
            .command(createTree(root("b"), draft("c", "b"), draft("a", "x"), draft("c", "b"))),
        taken("b"),
        taken("a"),
        taken("c"));
  }

  @Test
  void anotherOwnerMayGiveTheSameId() {
    given(of("eve", created(root("a"))))
        .command(createTree(root("a")))
        .then()
        .resultMessagePayload(new TreeOutcome.Done());
  }

  @Test
  void anIdIsFreeAfterItsTaskWasDeleted() {
    given(created(root("a")), deleted("a"))
        .command(createTree(root("a")))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(created(root("a")));
  }

  @Test
  void unknownExecutorsAreReportedAfterEverythingElse() {
    Rules rules = GivenSources.rules(List.of());
    TaskFault unknown = new TaskFault.ExecutorNotFound("tools__fetch", null);
    withRules(
        rules,
        given -> {
          refuses(given.get().command(createTree(root("a"), draft("b", "a"))), unknown);
          refuses(
              given.get().command(createTree(root("a", "a"))),
              new TaskFault.CircularDependency(List.of("a", "a")));
          refuses(
              given.get().command(createTree(root("a"), draft("b", "x"))),
              new TaskFault.InvalidParentReference("b", "x", null));
        });
  }

  @Test
  void updateToAnUnknownExecutorIsRefused() {
    withRules(
        GivenSources.rules(List.of()),
        given -> {
          refuses(
              given.get(created(root("a"))).command(update(root("a"))),
              new TaskFault.ExecutorNotFound("tools__fetch", null));
          refuses(
              given.get(created(root("a"))).command(update(root("a", "a"))),
              new TaskFault.CircularDependency(List.of("a", "a")));
        });
  }

  @Test
  void treeIsNotLargerThanItsLimit() {
    withRules(
        LimitsOfTrees.rules(1, 9),
        given ->
            refuses(
                given.get().command(createTree(root("a"), draft("b", "a"))),
                new TaskFault.TaskTreeInvalid(TreeDefect.TOO_MANY_TASKS, null)));
  }

  /** What was recorded under other rules. */
  private interface Given {
    AxonTestPhase.When get(Event... events);
  }

  private static void withRules(Rules rules, Consumer<Given> test) {
    AxonTestFixture other = AxonTestFixture.with(GivenTree.configurer(rules));
    try {
      test.accept(events -> other.given().events((Object[]) events).when());
    } finally {
      other.stop();
      Reference.reachabilityFence(rules); // the rules are found while something uses them
    }
  }

  @Test
  void taskThatFitsIntoNoEventIsRefused() {
    TaskDraft tooLarge = withDefinition("x".repeat(800_000));

    refuses(given().command(createTree(tooLarge)), tooLarge(1_066_668));
    refuses(given(created(root("a"))).command(update(tooLarge)), tooLarge(1_066_668));
    given()
        .command(update(withDefinition("x".repeat(700_000))))
        .then()
        .resultMessagePayload(new TreeOutcome.Done());
  }

  private static TaskDraft withDefinition(String definition) {
    return new TaskDraft("a", null, "a", null, 2, List.of(), definition, null);
  }

  private static TaskFault tooLarge(long bytes) {
    return new TaskFault.InvalidTaskSchema(
        "a",
        List.of(
            new Problem(
                "task",
                "Too large to be recorded with its dependencies",
                "at most 983040 bytes",
                JsonValue.parse(Long.toString(bytes)),
                List.of())));
  }

  @Test
  void tasksAreAddedBelowTasks() {
    given(created(root("a")))
        .command(add(draft("b", "a", "a")))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(created(draft("b", "a", "a")));
  }

  @Test
  void idThatIsTakenInTheTreeIsNotAdded() {
    refuses(
        given(created(root("a")), created(draft("b", "a"))).command(add(draft("b", "a"))),
        taken("b"));
  }

  @Test
  void idThatIsTakenInAnotherTreeIsNotAdded() {
    refuses(
        given(created(root("a")), inOtherTree(created(root("b")))).command(add(draft("b", "a"))),
        taken("b"));
  }

  @Test
  void taskIsNotAddedBelowATaskOfAnotherTree() {
    refuses(
        given(created(root("a")), inOtherTree(created(root("b")))).command(add(draft("c", "b"))),
        new TaskFault.InvalidParentReference("c", "b", null));
  }

  @Test
  void nothingIsAddedToATreeThatDoesNotExist() {
    refuses(
        given().command(add(draft("b", "a"))),
        new TaskFault.InvalidParentReference("b", "a", null));
    refuses(
        given().command(add(root("b"))), new TaskFault.TaskTreeInvalid(TreeDefect.NO_ROOT, null));
  }

  @Test
  void treeOfAnotherOwnerIsNotThere() {
    Event[] events = {of("eve", created(root("a")))};

    refuses(
        given(events).command(add(draft("b", "a"))),
        new TaskFault.InvalidParentReference("b", "a", null));
    refuses(given(events).command(update(root("a"))), new TaskFault.TaskNotFound("a"));
    refuses(given(events).command(delete("a")), new TaskFault.TaskNotFound("a"));
  }

  @Test
  void contentOfAPendingTaskIsReplaced() {
    TaskDraft changed = draft("b", null, "a");

    given(created(root("a")), created(draft("b", "a")))
        .command(update(changed))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(new TreeTaskUpdated(TREE, "b", OWNER, GivenTree.content(changed), CALL, NOON));
  }

  @Test
  void updateThatClosesACycleIsRefused() {
    refuses(
        given(created(root("a", "b")), created(draft("b", "a"))).command(update(root("b", "a"))),
        new TaskFault.CircularDependency(List.of("b", "a", "b")));
    refuses(
        given(created(root("a"))).command(update(root("a", "x"))),
        new TaskFault.InvalidDependencyReference("a", "x"));
  }

  @Test
  void onlyAPendingTaskIsUpdated() {
    refuses(
        given(created(root("a")), started("a", 1)).command(update(root("a"))),
        new TaskFault.InvalidStateTransition(
            "a", "in_progress", "update", "Only a pending task can be updated"));
    refuses(
        given(created(root("a")), started("a", 1), failed("a", 1)).command(update(root("a"))),
        new TaskFault.InvalidStateTransition(
            "a", "failed", "update", "Only a pending task can be updated"));
  }

  @Test
  void taskThatDoesNotExistIsNeitherUpdatedNorDeleted() {
    refuses(given(created(root("a"))).command(update(root("b"))), notFound("b"));
    refuses(given(created(root("a"))).command(delete("b")), notFound("b"));
    refuses(given(created(root("a")), deleted("a")).command(delete("a")), notFound("a"));
  }

  @Test
  void taskIsDeletedWhenNothingNeedsIt() {
    given(created(root("a")), created(draft("b", "a")))
        .command(delete("b"))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(deleted("b"));
  }

  @Test
  void taskWithChildrenIsNotDeleted() {
    refuses(
        given(created(root("a", "b")), created(draft("b", "a"))).command(delete("a")),
        new TaskFault.CannotDeleteTask("a", Obstacle.HAS_CHILDREN));
  }

  @Test
  void taskOnWhichOthersDependIsNotDeleted() {
    refuses(
        given(created(root("a", "b?")), created(draft("b", "a"))).command(delete("b")),
        new TaskFault.CannotDeleteTask("b", Obstacle.HAS_DEPENDENTS));
  }

  @Test
  void onlyAPendingTaskIsDeleted() {
    refuses(
        given(created(root("a")), executionStarted("a"), started("a", 1)).command(delete("a")),
        new TaskFault.CannotDeleteTask("a", Obstacle.NOT_PENDING));
  }

  @Test
  void secretsInNamesAreNotRecorded() {
    TaskDraft leaky =
        new TaskDraft(
            "a",
            null,
            "token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
            "fetch",
            2,
            List.of(),
            "{}",
            "{\"password\":\"hunter2hunter2\"}");

    given()
        .command(createTree(leaky))
        .then()
        .eventsSatisfy(events ->
            assertThat(String.valueOf(events.getFirst().payload()))
                .doesNotContain("a1B2c3D4")
                .doesNotContain("hunter2"));
  }

  private static void refuses(AxonTestPhase.When.Command command, TaskFault... faults) {
    command.then().resultMessagePayload(new TreeOutcome.Refused(List.of(faults))).noEvents();
  }

  private AxonTestPhase.When given(Event... events) {
    return fixture.given().events((Object[]) events).when();
  }

  private static ChangeTree add(TaskDraft... drafts) {
    return change(new Change.AddTasks(Arrays.asList(drafts)));
  }

  private static ChangeTree update(TaskDraft draft) {
    return change(new Change.UpdateTask(draft));
  }

  private static ChangeTree delete(String id) {
    return change(new Change.DeleteTask(id));
  }

  private static TreeTaskDeleted deleted(String id) {
    return new TreeTaskDeleted(TREE, id, OWNER, CALL, NOON);
  }

  private static TreeTaskCreated of(String owner, TreeTaskCreated event) {
    return new TreeTaskCreated(
        TREE, event.taskId(), owner, event.parentId(), event.content(), CALL, NOON);
  }

  private static TreeTaskCreated inOtherTree(TreeTaskCreated event) {
    return new TreeTaskCreated(
        OTHER_TREE, event.taskId(), OWNER, event.parentId(), event.content(), CALL, NOON);
  }

  private static TaskFault notFound(String id) {
    return new TaskFault.TaskNotFound(id);
  }

  private static TaskFault taken(String id) {
    return new TaskFault.InvalidTaskSchema(
        id, List.of(new Problem("id", "there is a task with this id", null, null, List.of())));
  }
}
