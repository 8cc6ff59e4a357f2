package gatebook.command.tree;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.OTHER_TREE;
import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.archived;
import static gatebook.command.GivenTree.change;
import static gatebook.command.GivenTree.completed;
import static gatebook.command.GivenTree.copy;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.execute;
import static gatebook.command.GivenTree.executeWithCascade;
import static gatebook.command.GivenTree.executionStarted;
import static gatebook.command.GivenTree.failed;
import static gatebook.command.GivenTree.linked;
import static gatebook.command.GivenTree.referenced;
import static gatebook.command.GivenTree.reopened;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.started;

import gatebook.command.GivenTree;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.execution.StartExecution;
import gatebook.events.Event;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskLinked;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.Obstacle;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies, links and archives of tasks. */
@Timeout(300)
final class TreeCopiesTest {
  private static final TaskCopy COPY = new TaskCopy("a", root("n"), false);
  private static final TaskCopy LINK = new TaskCopy("a", root("n"), true);
  private static final String CHANGED = "An archive cannot be changed";

  private static final Event[] TASK_WITH_PENDING_CHILD =
      with(completedTask("a"), created(draft("b", "a")));

  private final AxonTestFixture fixture =
      AxonTestFixture.with(GivenTree.configurer(GivenTree.RULES));

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @Test
  void copiesAreCreatedAndTheirSourcesAreReferenced() {
    given(created(root("a")), created(draft("b", "a")))
        .command(copy(COPY, new TaskCopy("b", draft("m", "n"), false)))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(
            elsewhere(created(root("n"))),
            elsewhere(created(draft("m", "n"))),
            referenced("a", false),
            referenced("b", false));
  }

  @Test
  void linkNamesItsOriginal() {
    given(completedTask("a"))
        .command(copy(LINK))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(elsewhere(created(root("n"))), linkTo(TREE, "a"), referenced("a", true));
  }

  @Test
  void linkOfALinkNamesTheFirstOriginal() {
    given(created(root("a")), linked("a", "first"))
        .command(copy(LINK))
        .then()
        .events(elsewhere(created(root("n"))), linkTo(OTHER_TREE, "first"), referenced("a", true));
  }

  @ParameterizedTest
  @EnumSource(value = TreeStatus.class, names = "COMPLETED", mode = EnumSource.Mode.EXCLUDE)
  void onlyACompletedTaskIsLinked(TreeStatus status) {
    refuses(given(eventsOf(status)).command(copy(LINK)), incomplete("a", status));
  }

  @Test
  void onlyLinkedTasksMustBeCompletedUnlessAllAreRequired() {
    given(TASK_WITH_PENDING_CHILD)
        .command(copy(LINK))
        .then()
        .resultMessagePayload(new TreeOutcome.Done());
  }

  @Test
  void otherTasksOfTheTreeMustBeCompletedWhenRequired() {
    refuses(
        given(TASK_WITH_PENDING_CHILD).command(copy(true, LINK)),
        incomplete("b", TreeStatus.PENDING));
  }

  @Test
  void sourceIsReferencedOnceByCopies() {
    given(with(completedTask("a"), referenced("a", false)))
        .command(copy(COPY))
        .then()
        .events(elsewhere(created(root("n"))));
  }

  @Test
  void firstLinkAfterACopyIsRecorded() {
    given(with(completedTask("a"), referenced("a", false)))
        .command(copy(LINK))
        .then()
        .events(elsewhere(created(root("n"))), linkTo(TREE, "a"), referenced("a", true));
  }

  @Test
  void sourceIsReferencedOnceByLinks() {
    given(with(completedTask("a"), referenced("a", true), referenced("a", false)))
        .command(copy(LINK))
        .then()
        .events(elsewhere(created(root("n"))), linkTo(TREE, "a"));
  }

  @Test
  void taskOfAnotherOwnerIsNoSource() {
    CopyTasks foreign =
        new CopyTasks(
            TREE,
            OTHER_TREE,
            "eve",
            List.of(LINK),
            false,
            CALL,
            NOON,
            GivenTree.RULES.hash(),
            ListedTools.NONE);

    refuses(given(completedTask("a")).command(foreign), new TaskFault.TaskNotFound("a"));
  }

  @Test
  void missingTaskIsNoSource() {
    refuses(given(created(root("x"))).command(copy(COPY)), new TaskFault.TaskNotFound("a"));
  }

  @Test
  void copiesMustBeATree() {
    refuses(
        given(created(root("a"))).command(copy(new TaskCopy("a", draft("n", "x"), false))),
        new TaskFault.InvalidParentReference("n", "x", null));
  }

  @Test
  void tasksAndLinksAreArchived() {
    given(with(completedTask("a"), created(draft("b", "a")), linked("b", "first")))
        .command(archive("a", "b"))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(archived("a"), archived("b"));
  }

  @Test
  void tasksAreArchivedOnce() {
    given(with(completedTask("a"), created(draft("b", "a")), linked("b", "first"), archived("a")))
        .command(archive("a", "b"))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(archived("b"));
  }

  @Test
  void onlyACompletedTreeIsArchived() {
    refuses(
        given(TASK_WITH_PENDING_CHILD).command(archive("a")), incomplete("b", TreeStatus.PENDING));
  }

  @Test
  void missingTaskIsNotArchived() {
    refuses(given(completedTask("a")).command(archive("a", "x")), new TaskFault.TaskNotFound("x"));
  }

  static Stream<Object> changesOfArchives() {
    return Stream.of(
        change(new Change.UpdateTask(root("a"))),
        change(new Change.DeleteTask("a")),
        GivenTree.cancel("a"),
        execute("a"),
        executeWithCascade("a"));
  }

  @ParameterizedTest
  @MethodSource("changesOfArchives")
  void archiveIsNotChanged(Object command) {
    String target =
        switch (command) {
          case StartExecution _ -> "in_progress";
          case CancelTreeTask _ -> "cancelled";
          case ChangeTree(_, _, Change.UpdateTask _, _, _, _, _) -> "update";
          default -> "delete";
        };
    String reason = command instanceof StartExecution ? "An archive cannot be executed" : CHANGED;

    refuses(
        given(with(completedTask("a"), archived("a"))).command(command),
        notPossible("a", target, reason));
  }

  @Test
  void cascadeDoesNotReachAnArchive() {
    Event[] events =
        with(
            completedTask("a", "b?"),
            created(draft("b", "a")),
            started("b", 1),
            failed("b", 1),
            archived("a"));

    refuses(
        given(events).command(executeWithCascade("b")),
        notPossible("a", "in_progress", "An archive cannot be executed"));
  }

  @Test
  void archiveGetsNoNewChildren() {
    refuses(
        given(with(completedTask("a"), archived("a")))
            .command(change(new Change.AddTasks(List.of(draft("b", "a"))))),
        new TaskFault.InvalidParentReference("b", "a", CHANGED));
  }

  @Test
  void linkIsNotExecuted() {
    Event[] link = {created(root("a")), linked("a", "first")};
    TaskFault fault = notPossible("a", "in_progress", "A link cannot be executed");

    refuses(given(link).command(execute("a")), fault);
    refuses(given(link).command(executeWithCascade("a")), fault);
    given(link)
        .command(GivenTree.start("a"))
        .then()
        .resultMessagePayload(new StartTreeTask.Outcome.NotPending())
        .noEvents();
  }

  @Test
  void treeWithLinksIsExecuted() {
    given(created(root("a", "b")), created(draft("b", "a")), linked("b", "first"))
        .command(execute("a"))
        .then()
        .resultMessagePayload(new TreeOutcome.Done())
        .events(executionStarted("a"));
  }

  @Test
  void cascadeLeavesLinksCompleted() {
    given(
            created(root("a", "c")),
            created(draft("b", "a")),
            started("b", 1),
            failed("b", 1),
            created(draft("c", "a", "b")),
            linked("c", "first"))
        .command(executeWithCascade("a"))
        .then()
        .events(reopened("b", null), executionStarted("a"));
  }

  @Test
  void originalThatIsPendingAgainIsNotDeleted() {
    refuses(
        given(with(completedTask("a"), referenced("a", true), reopened("a", "x")))
            .command(change(new Change.DeleteTask("a"))),
        new TaskFault.CannotDeleteTask("a", Obstacle.HAS_DEPENDENTS));
  }

  @Test
  void copiedTaskIsDeleted() {
    given(with(completedTask("a"), referenced("a", false), reopened("a", "x")))
        .command(change(new Change.DeleteTask("a")))
        .then()
        .resultMessagePayload(new TreeOutcome.Done());
  }

  private static ArchiveTasks archive(String... ids) {
    return new ArchiveTasks(GivenTree.TREE, OWNER, List.of(ids), CALL, NOON);
  }

  private static TaskFault notPossible(String id, String target, String reason) {
    return new TaskFault.InvalidStateTransition(id, TreeStatus.COMPLETED.word(), target, reason);
  }

  private static TaskFault incomplete(String id, TreeStatus status) {
    return new TaskFault.InvalidTaskSchema(
        id,
        List.of(
            new Problem(
                "origin_type",
                "Only completed tasks can be linked or archived",
                "completed",
                JsonValue.parse("\"%s\"".formatted(status.word())),
                List.of())));
  }

  private static Event[] completedTask(String id, String... dependencies) {
    return new Event[] {created(root(id, dependencies)), started(id, 1), completed(id, 1)};
  }

  private static Event[] eventsOf(TreeStatus status) {
    Event[] running = {created(root("a")), started("a", 1)};
    return switch (status) {
      case PENDING -> new Event[] {created(root("a"))};
      case IN_PROGRESS -> running;
      case COMPLETED -> completedTask("a");
      case FAILED -> with(running, failed("a", 1));
      case CANCELLED -> with(running, GivenTree.cancelled("a"));
    };
  }

  private static Event[] with(Event[] events, Event... more) {
    List<Event> all = new ArrayList<>(List.of(events));
    all.addAll(List.of(more));
    return all.toArray(Event[]::new);
  }

  private static TreeTaskCreated elsewhere(TreeTaskCreated created) {
    return new TreeTaskCreated(
        OTHER_TREE, created.taskId(), OWNER, created.parentId(), created.content(), CALL, NOON);
  }

  private static TreeTaskLinked linkTo(UUID originalTree, String originalId) {
    return new TreeTaskLinked(OTHER_TREE, "n", OWNER, originalTree, originalId, CALL, NOON);
  }

  private AxonTestPhase.When given(Event... events) {
    return fixture.given().events((Object[]) events).when();
  }

  private static void refuses(AxonTestPhase.When.Command refused, TaskFault... faults) {
    refused.then().resultMessagePayload(new TreeOutcome.Refused(List.of(faults))).noEvents();
  }
}
