package gatebook.query.trees;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallAnswered;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import gatebook.query.FollowedJournal;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallQueries;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class TreeQueriesTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final UUID TREE = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID OTHER = UUID.fromString("0192bbbb-0000-7000-8000-000000000001");
  private static final UUID EXECUTION = UUID.fromString("0192cccc-0000-7000-8000-000000000001");
  private static final UUID ASKED = UUID.fromString("0192dddd-0000-7000-8000-000000000001");
  private static final UUID RUN = UUID.fromString("0192eeee-0000-7000-8000-000000000001");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final KeptContent INPUTS =
      new KeptContent(9, DIGEST, JsonValue.parse("{\"a\":1}"), null);
  private static final KeptContent RESULT = new KeptContent(2, DIGEST, JsonValue.parse("{}"), null);
  private static final String ORIGINAL = "{}";

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private CallQueries callQueries;
  private TreeQueries treeQueries;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    callQueries = followed.follow(CallQueries::follow, it -> it.view().close());
    treeQueries =
        followed.follow(
            (views, journal, reader, content) ->
                TreeQueries.follow(views, journal, reader, callQueries.taskCalls(), content),
            it -> it.view().close());
  }

  @Test
  void aNewTreeIsPending() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));

    assertThat(list("ada"))
        .containsExactly(
            new TreeView(
                TREE,
                "ada",
                "root",
                "step root",
                TreeStatus.PENDING,
                counts(2, 0, 0, 0, 0),
                AT,
                null,
                null,
                AT,
                null,
                null,
                new TreeContentPlaces(1, 0, 0),
                List.of()));
  }

  @Test
  void aRunningTreeNamesItsExecutionAndNode() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(started(TREE, "root", false, 1), taskStarted("child", 1, 2));

    assertThat(list("ada"))
        .containsExactly(
            new TreeView(
                TREE,
                "ada",
                "root",
                "step root",
                TreeStatus.IN_PROGRESS,
                counts(1, 1, 0, 0, 0),
                AT,
                AT.plusSeconds(1),
                null,
                AT,
                execution(1),
                null,
                new TreeContentPlaces(1, 0, 0),
                List.of()));
    assertThat(openExecutions()).containsExactly(execution(1));
  }

  @Test
  void anEndedTreeHasItsDuration() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(started(TREE, "root", false, 1), taskStarted("child", 1, 2), failed("child", 3));
    append(cancelled("root", 4), ended(TREE, 5));

    TreeView tree = list("ada").getFirst();

    assertThat(tree.status()).isEqualTo(TreeStatus.FAILED);
    assertThat(tree.counts()).isEqualTo(counts(0, 0, 0, 1, 1));
    assertThat(tree.duration()).contains(Duration.ofSeconds(4));
    assertThat(openExecutions()).isEmpty();
  }

  @Test
  void anExecutionTakenOverKeepsItsBegin() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(started(TREE, "root", false, 1), started(TREE, "root", true, 7));

    assertThat(openExecutions()).containsExactly(execution(7));
    assertThat(list("ada").getFirst().startedAt()).isEqualTo(AT.plusSeconds(1));
  }

  @Test
  void treesAreListedByOwnerAndStatusNewestFirst() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(created(OTHER, "ada", "other", null));
    append(created(UUID.randomUUID(), "grace", "root", null));
    append(started(OTHER, "other", false, 1));

    assertThat(list("ada")).extracting(TreeView::treeId).containsExactly(OTHER, TREE);
    assertThat(list(Optional.empty(), Optional.empty(), OptionalLong.empty(), 9).trees())
        .hasSize(3);
    assertThat(
            list(Optional.of("ada"), Optional.of(TreeStatus.IN_PROGRESS), OptionalLong.empty(), 9)
                .trees())
        .extracting(TreeView::treeId)
        .containsExactly(OTHER);
    TreeQueries.Page first = list(Optional.of("ada"), Optional.empty(), OptionalLong.empty(), 1);
    assertThat(first.trees()).extracting(TreeView::treeId).containsExactly(OTHER);
    TreeQueries.Page second = list(Optional.of("ada"), Optional.empty(), first.next(), 1);
    assertThat(second.trees()).extracting(TreeView::treeId).containsExactly(TREE);
    assertThat(second.next()).isEmpty();
  }

  @Test
  void aTreeShowsItsTasksWithTheirCalls() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(started(TREE, "root", false, 1), taskStarted("child", 1, 2));
    append(received(RUN, "ada", "child"), answered(RUN), completed("child", 4));

    TreeView tree = found("child").getFirst();

    assertThat(tree.tasks())
        .containsExactly(
            new TreeTaskView(
                "root",
                null,
                content("step root"),
                TreeStatus.PENDING,
                0,
                null,
                null,
                null,
                null,
                null,
                AT,
                null,
                null,
                null,
                List.of()),
            new TreeTaskView(
                "child",
                "root",
                content("step child"),
                TreeStatus.COMPLETED,
                1,
                null,
                RESULT,
                null,
                null,
                RUN,
                AT,
                AT.plusSeconds(2),
                AT.plusSeconds(4),
                null,
                List.of(call())));
    assertThat(tree.tasks().getLast().duration()).contains(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0192aaaa-0000-7000-8000-00000000abcd",
        " 0192AAAA00007000800000000000ABCD ",
        "child",
        "0192eeee-0000-7000-8000-000000000001"
      })
  void aTreeIsFoundByEveryId(String id) throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(received(RUN, "ada", "child"));
    append(created(OTHER, "ada", "other", null));

    assertThat(found(id)).extracting(TreeView::treeId).containsExactly(TREE);
  }

  @Test
  void aTasksIdFindsTheTreesOfAllOwners() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(created(OTHER, "grace", "root", null));
    append(received(RUN, "grace", "root"));

    assertThat(found("root")).extracting(TreeView::treeId).containsExactly(OTHER, TREE);
    assertThat(found("root").getFirst().tasks().getFirst().calls()).hasSize(1);
    assertThat(found("root").getLast().tasks().getFirst().calls()).isEmpty();
    assertThat(found(RUN.toString())).extracting(TreeView::treeId).containsExactly(OTHER);
    assertThat(found("nobody")).isEmpty();
  }

  @Test
  void aCallersCorrelationIdIsNoRunOfATask() throws InterruptedException {
    append(created(TREE, "ada", "order-7", null));
    append(received(RUN, "ada", null));

    assertThat(found("order-7").getFirst().tasks().getFirst().calls()).isEmpty();
  }

  @Test
  void moreTreesThanAreShownAreReported() throws InterruptedException {
    for (int i = 0; i <= TreeQueries.TREES_MAX; i++) {
      append(created(UUID.randomUUID(), "owner-" + i, "root", null));
    }

    TreeQueries.FoundTrees found =
        treeQueries.handle(new FindTrees("root", List.of(), 0, Optional.empty()));

    assertThat(found.trees()).hasSize(TreeQueries.TREES_MAX);
    assertThat(found.more()).isTrue();
  }

  @Test
  void aTreeIsFoundAsItWasAtATime() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(AT.plusSeconds(2), started(TREE, "root", false, 2), taskStarted("root", 1, 2));
    append(AT.plusSeconds(2), received(RUN, "ada", "root"));
    append(AT.plusSeconds(4), answered(RUN), completed("root", 4), ended(TREE, 4));

    assertThat(asOf(3).trees().getFirst().status()).isEqualTo(TreeStatus.IN_PROGRESS);
    assertThat(asOf(3).trees().getFirst().tasks().getFirst().status())
        .isEqualTo(TreeStatus.IN_PROGRESS);
    assertThat(asOf(3).trees().getFirst().tasks().getFirst().calls())
        .extracting(CallView::status)
        .containsExactly(CallStatus.HELD);
    assertThat(asOf(4).trees().getFirst().tasks().getFirst().calls())
        .extracting(CallView::status)
        .containsExactly(CallStatus.ANSWERED);
    assertThat(asOf(-1).cameLater()).isTrue();
    assertThat(asOf(-1).trees()).isEmpty();
  }

  @Test
  void aReopenedTaskHasNoErrorAndNoTimes() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(taskStarted("root", 1, 1), failed("root", 2), reopened("root", 3));

    TreeTaskView task = found("root").getFirst().tasks().getFirst();

    assertThat(task.status()).isEqualTo(TreeStatus.PENDING);
    assertThat(task.attempt()).isEqualTo(1);
    assertThat(task.error()).isNull();
    assertThat(task.startedAt()).isNull();
    assertThat(list("ada").getFirst().counts()).isEqualTo(counts(1, 0, 0, 0, 0));
  }

  @Test
  void aLinkIsCompletedAndNamesItsOriginal() throws InterruptedException {
    append(created(TREE, "ada", "root", null), linked("root", 1));

    TreeTaskView task = found("root").getFirst().tasks().getFirst();

    assertThat(task.status()).isEqualTo(TreeStatus.COMPLETED);
    assertThat(task.origin()).isEqualTo("link to other");
    assertThat(task.result()).isNull();
    assertThat(task.duration()).isEmpty();
    assertThat(list("ada").getFirst().counts()).isEqualTo(counts(0, 0, 1, 0, 0));
    assertThat(tasks(Optional.of(TreeStatus.COMPLETED), false, 9, 0))
        .containsExactly(listed(TREE, "root"));
  }

  @Test
  void anArchiveKeepsItsStatusAndResult() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(taskStarted("root", 1, 1), completed("root", 2), linked("child", 2));
    append(new TreeTaskReferenced(TREE, "root", "ada", true, ASKED, AT));
    append(archived("root"), archived("child"));

    List<TreeTaskView> tasks = found("root").getFirst().tasks();

    assertThat(tasks)
        .extracting(TreeTaskView::origin)
        .containsExactly("archived", "link to other, archived");
    assertThat(tasks.getFirst().result()).isEqualTo(RESULT);
    assertThat(list("ada").getFirst().counts()).isEqualTo(counts(0, 0, 2, 0, 0));
  }

  @Test
  void aChangedRootRenamesItsTree() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(new TreeTaskUpdated(TREE, "root", "ada", content("renamed"), ASKED, AT));

    assertThat(list("ada").getFirst().name()).isEqualTo("renamed");
    assertThat(found("root").getFirst().tasks().getFirst().content().name()).isEqualTo("renamed");
  }

  @Test
  void tasksAreListedNewestFirst() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(created(OTHER, "ada", "other", null));
    append(created(UUID.randomUUID(), "grace", "root", null));
    append(started(TREE, "root", false, 1), taskStarted("child", 1, 2));

    assertThat(tasks(Optional.empty(), false, 9, 0))
        .isEqualTo(List.of(listed(OTHER, "other"), listed(TREE, "child"), parent(TREE, "root")));
    assertThat(tasks(Optional.empty(), false, 1, 1)).containsExactly(listed(TREE, "child"));
    assertThat(tasks(Optional.empty(), true, 9, 0))
        .containsExactly(listed(OTHER, "other"), parent(TREE, "root"));
    assertThat(tasks(Optional.of(TreeStatus.IN_PROGRESS), false, 9, 0))
        .containsExactly(listed(TREE, "child"));
    assertThat(treeQueries.handle(new ListTreeTasks("ada", Optional.empty(), false, 1, 0)).total())
        .isEqualTo(3);
  }

  @Test
  void aTaskHasChildrenUntilTheyAreDeleted() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(created(OTHER, "grace", "child", null));
    assertThat(hasChildren(TREE, "root")).isTrue();
    assertThat(hasChildren(TREE, "child")).isFalse();
    assertThat(hasChildren(OTHER, "root")).isFalse();

    append(deleted("child"));

    assertThat(hasChildren(TREE, "root")).isFalse();
  }

  private boolean hasChildren(UUID tree, String task) throws InterruptedException {
    TreeQueries.TaskChildren found = treeQueries.handle(new FindTaskChildren(tree, task));
    assertThat(found.reached().upToDate()).isTrue();
    return found.areThere();
  }

  @Test
  void deletedTasksAreFoundAndNotListed() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    append(deleted("child"));

    assertThat(tasks(Optional.empty(), false, 9, 0)).containsExactly(listed(TREE, "root"));
    assertThat(list("ada").getFirst().taskCount()).isEqualTo(1);
    assertThat(found("child").getFirst().tasks().getLast().deletedAt()).isEqualTo(AT);
  }

  @Test
  void aTreeWithoutTasksIsNotCounted() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(created(OTHER, "ada", "other", null));
    assertThat(treeQueries.handle(new CountTrees("ada")).trees()).isEqualTo(2);

    append(deleted("root"));

    assertThat(treeQueries.handle(new CountTrees("ada")).trees()).isEqualTo(1);
    assertThat(list("ada")).extracting(TreeView::treeId).containsExactly(OTHER);
    assertThat(treeQueries.handle(new CountTrees("grace")).trees()).isEqualTo(0);
  }

  @Test
  void aWebhookIsOpenUntilTheEndIsDelivered() throws InterruptedException {
    append(created(TREE, "ada", "root", null), webhookStarted());
    assertThat(openWebhooks()).isEmpty();

    append(webhookFailed(false, true), ended(TREE, 5), webhookFailed(true, false));
    assertThat(openWebhooks()).containsExactly(openWebhook(1));

    append(new TreeWebhookTakenOver(TREE, "ada", EXECUTION, AT.plusSeconds(7)));
    assertThat(openWebhooks()).containsExactly(openWebhook(7));

    append(webhookDelivered(true));
    assertThat(openWebhooks()).isEmpty();
  }

  @Test
  void aWebhookThatIsGivenUpIsNotOpen() throws InterruptedException {
    append(created(TREE, "ada", "root", null), webhookStarted(), ended(TREE, 5));
    append(webhookFailed(true, true));

    assertThat(openWebhooks()).isEmpty();
  }

  @Test
  void aTreeShowsTheLastAttemptAtADelivery() throws InterruptedException {
    append(created(TREE, "ada", "root", null), webhookStarted());
    assertThat(list("ada").getFirst().webhook())
        .isEqualTo(WebhookView.waiting(EXECUTION, "https://a.example"));

    append(webhookFailed(false, true));
    assertThat(list("ada").getFirst().webhook())
        .isEqualTo(
            new WebhookView(
                EXECUTION,
                "https://a.example",
                WebhookView.State.GIVEN_UP,
                false,
                2,
                503,
                "no",
                AT));

    append(webhookDelivered(true), started(TREE, "root", false, 9));
    assertThat(list("ada").getFirst().webhook()).isNull();
  }

  private List<OpenWebhook> openWebhooks() throws InterruptedException {
    return treeQueries.handle(new ListOpenWebhooks(followed.journal().head())).webhooks();
  }

  private OpenWebhook openWebhook(long second) {
    return new OpenWebhook(
        EXECUTION, TREE, "ada", "root", execution(1).node(), AT.plusSeconds(second));
  }

  private static TreeExecutionStarted webhookStarted() {
    return new TreeExecutionStarted(
        TREE,
        "ada",
        EXECUTION,
        "root",
        ASKED,
        false,
        AT.plusSeconds(1),
        new TreeWebhook("https://a.example", ORIGINAL),
        null);
  }

  private static TreeWebhookFailed webhookFailed(boolean last, boolean givenUp) {
    return new TreeWebhookFailed(
        TREE, "ada", EXECUTION, "x", "root", last, 2, 503, "no", givenUp, AT);
  }

  private static TreeWebhookDelivered webhookDelivered(boolean last) {
    return new TreeWebhookDelivered(TREE, "ada", EXECUTION, "x", "root", last, 1, 204, AT);
  }

  @Test
  void aTreeIsOpenUntilAllItsTasksEnded() throws InterruptedException {
    append(created(TREE, "ada", "root", null), created(TREE, "ada", "child", "root"));
    assertThat(openTrees("ada")).isEqualTo(1);
    append(taskStarted("root", 1, 0), completed("root", 0));
    assertThat(openTrees("ada")).isEqualTo(1);
    append(taskStarted("child", 1, 0));
    assertThat(openTrees("ada")).isEqualTo(1);
    append(completed("child", 0));

    assertThat(openTrees("ada")).isEqualTo(0);
    append(created(OTHER, "ada", "other", null));
    assertThat(openTrees("ada")).isEqualTo(1);
    assertThat(openTrees("grace")).isEqualTo(0);
  }

  private long openTrees(String owner) throws InterruptedException {
    assertThat(treeQueries.view().await(followed.journal().head(), 60_000)).isTrue();
    return treeQueries.handle(new CountOpenTrees(owner)).trees();
  }

  @Test
  void eventsOfATreeAreParkedInTheirOrder() throws InterruptedException {
    append(created(TREE, "ada", "root", null));
    append(taskStarted("child", 1, 1));
    append(ended(TREE, 2));
    append(created(OTHER, "ada", "other", null));

    assertThat(list("ada")).extracting(TreeView::treeId).containsExactly(OTHER, TREE);
    assertThat(treeQueries.view().parked(9))
        .extracting(it -> it.treeId() + " " + it.error())
        .containsExactly(
            TREE + " IllegalStateException: no event created this task", TREE + " null");
  }

  private List<TreeView> list(String owner) throws InterruptedException {
    return list(Optional.of(owner), Optional.empty(), OptionalLong.empty(), 9).trees();
  }

  private TreeQueries.Page list(
      Optional<String> owner, Optional<TreeStatus> status, OptionalLong before, int limit)
      throws InterruptedException {
    return treeQueries.handle(new ListTrees(owner, status, before, limit, 0));
  }

  private List<TreeView> found(String id) throws InterruptedException {
    return treeQueries.handle(new FindTrees(id, List.of(), 0, Optional.empty())).trees();
  }

  private TreeQueries.FoundTrees asOf(long seconds) throws InterruptedException {
    return treeQueries.handle(
        new FindTrees("root", List.of(), 0, Optional.of(AT.plusSeconds(seconds))));
  }

  private List<TreeQueries.ListedTask> tasks(
      Optional<TreeStatus> status, boolean rootOnly, int limit, int offset)
      throws InterruptedException {
    return treeQueries.handle(new ListTreeTasks("ada", status, rootOnly, limit, offset)).tasks();
  }

  private static TreeQueries.ListedTask listed(UUID tree, String task) {
    return new TreeQueries.ListedTask(tree, task, false);
  }

  private static TreeQueries.ListedTask parent(UUID tree, String task) {
    return new TreeQueries.ListedTask(tree, task, true);
  }

  private List<OpenExecution> openExecutions() throws InterruptedException {
    return treeQueries.handle(new ListOpenExecutions(followed.journal().head())).executions();
  }

  private OpenExecution execution(long startSecond) {
    return new OpenExecution(
        EXECUTION,
        TREE,
        "ada",
        "root",
        followed.journal().read(0, 1).getFirst().node(),
        AT.plusSeconds(startSecond));
  }

  private static Map<TreeStatus, Integer> counts(
      int pending, int inProgress, int completed, int failed, int cancelled) {
    return Map.of(
        TreeStatus.PENDING,
        pending,
        TreeStatus.IN_PROGRESS,
        inProgress,
        TreeStatus.COMPLETED,
        completed,
        TreeStatus.FAILED,
        failed,
        TreeStatus.CANCELLED,
        cancelled);
  }

  private void append(Event... events) {
    append(AT, events);
  }

  private void append(Instant at, Event... events) {
    followed.append(at, events);
  }

  private static TreeTaskCreated created(
      UUID tree, String owner, String task, @Nullable String parent) {
    return new TreeTaskCreated(tree, task, owner, parent, content("step " + task), ASKED, AT);
  }

  private static TaskContent content(String name) {
    return new TaskContent(
        name, "echo", 1, List.of(new TaskDependency("before", true)), INPUTS, ORIGINAL);
  }

  private static TreeExecutionStarted started(
      UUID tree, String task, boolean takenOver, long second) {
    return new TreeExecutionStarted(
        tree, "ada", EXECUTION, task, ASKED, takenOver, AT.plusSeconds(second), null, null);
  }

  private static TreeExecutionEnded ended(UUID tree, long second) {
    return new TreeExecutionEnded(
        tree, "ada", EXECUTION, TreeStatus.FAILED, List.of(), AT.plusSeconds(second));
  }

  private static TreeTaskStarted taskStarted(String task, int attempt, long second) {
    return new TreeTaskStarted(TREE, task, "ada", EXECUTION, attempt, null, AT.plusSeconds(second));
  }

  private static TreeTaskCompleted completed(String task, long second) {
    return new TreeTaskCompleted(
        TREE, task, "ada", 1, RUN, RESULT, ORIGINAL, AT.plusSeconds(second));
  }

  private static TreeTaskFailed failed(String task, long second) {
    return new TreeTaskFailed(TREE, task, "ada", 1, "no", -32_001, RUN, AT.plusSeconds(second));
  }

  private static TreeTaskCancelled cancelled(String task, long second) {
    return new TreeTaskCancelled(TREE, task, "ada", "stop", ASKED, AT.plusSeconds(second));
  }

  private static TreeTaskReopened reopened(String task, long second) {
    return new TreeTaskReopened(TREE, task, "ada", null, ASKED, AT.plusSeconds(second));
  }

  private static TreeTaskLinked linked(String task, long second) {
    return new TreeTaskLinked(TREE, task, "ada", OTHER, "other", ASKED, AT.plusSeconds(second));
  }

  private static TreeTaskArchived archived(String task) {
    return new TreeTaskArchived(TREE, task, "ada", ASKED, AT);
  }

  private static TreeTaskDeleted deleted(String task) {
    return new TreeTaskDeleted(TREE, task, "ada", ASKED, AT);
  }

  private static CallReceived received(UUID call, String principal, @Nullable String task) {
    return ReceivedCall.of(call, AT)
        .in(Dialect.FLOW, null)
        .by(principal)
        .to("demo", "echo")
        .task(task)
        .event();
  }

  private static CallAnswered answered(UUID call) {
    return new CallAnswered(call, CallAnswered.Outcome.SUCCESS, RESULT, 1, 5L, 7);
  }

  private static CallView call() {
    return new CallView(
        RUN,
        "order-7",
        Dialect.FLOW,
        "tools/call",
        "echo",
        "ada",
        CallStatus.ANSWERED,
        null,
        null,
        null,
        AT.toString(),
        7L,
        List.of());
  }
}
