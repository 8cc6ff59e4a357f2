package gatebook.command;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;

import gatebook.command.axon.CommandConfiguration;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.tree.ArchiveTasks;
import gatebook.command.tree.CancelTreeTask;
import gatebook.command.tree.ChangeTree;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.CopyTasks;
import gatebook.command.tree.CreateTree;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ListedTools;
import gatebook.command.tree.RetryTreeTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.StartTreeTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.GetWebhook;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.command.tree.execution.TakeOverWebhook;
import gatebook.command.tree.execution.WebhookDraft;
import gatebook.command.tree.handler.TreeCommandHandlers;
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
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.call.Correlation;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.jspecify.annotations.Nullable;

/** A tree of tasks given to tests: its drafts, its events, and what handles its commands. */
public final class GivenTree {
  public static final Correlation CORRELATION =
      new Correlation(
          "order-7", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "vendor=1");

  public static final UUID TREE = UUID.fromString("0192aaaa-0000-7000-8000-0000000000aa");
  public static final UUID OTHER_TREE = UUID.fromString("0192aaaa-0000-7000-8000-0000000000ab");
  public static final UUID EXECUTION = UUID.fromString("0192aaaa-0000-7000-8000-0000000000ee");
  public static final String OWNER = "ada";
  public static final Rules RULES =
      GivenSources.rules(List.of(GivenSources.source("tools", "", ExposeRules.ALL)));
  public static final String RESULT = "{\"answer\":42}";
  public static final String WEBHOOK_CONFIG = "{\"url\":\"here\"}";

  /** What is recorded of the payloads of the tree's tasks. */
  private static final PayloadRecorder RECORDER =
      GivenCall.RECORDERS.of(RULES, ContentOwner.at(OWNER, NOON));

  private static final String WEBHOOK_URL = "https://hooks.example.com";

  private GivenTree() {}

  public static TaskDraft root(String id, String... dependencies) {
    return draft(id, null, dependencies);
  }

  /** A draft with required dependencies; those that end with a question mark are optional. */
  public static TaskDraft draft(String id, @Nullable String parentId, String... dependencies) {
    return new TaskDraft(
        id,
        parentId,
        "name of " + id,
        "tools__fetch",
        2,
        Arrays.stream(dependencies).map(GivenTree::dependency).toList(),
        "{\"id\":\"%s\"}".formatted(id),
        "{\"url\":\"here\"}");
  }

  private static TaskDependency dependency(String text) {
    return text.endsWith("?")
        ? new TaskDependency(text.substring(0, text.length() - 1), false)
        : new TaskDependency(text, true);
  }

  public static TaskKey key(String id) {
    return new TaskKey(OWNER, id);
  }

  public static RulesByHash rulesByHash(Rules rules) {
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(rules);
    return rulesByHash;
  }

  public static TreeCommandHandlers handlers(Rules rules) {
    return new TreeCommandHandlers(
        rulesByHash(rules), GivenCall.RECORDERS, () -> Scrubber.BUILT_IN, Scrubber.BUILT_IN::scrub);
  }

  public static EventSourcingConfigurer configurer(Rules rules) {
    return CommandConfiguration.configure(
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE)),
        CommandConfiguration.executors(ContentKeys.NONE),
        handlers(rules));
  }

  public static TreeTaskCreated created(TaskDraft draft) {
    return new TreeTaskCreated(
        TREE, draft.id(), OWNER, draft.parentId(), content(draft), CALL, NOON);
  }

  public static TaskContent content(TaskDraft draft) {
    String inputs = draft.inputs();
    return new TaskContent(
        draft.name(),
        draft.executor(),
        draft.priority(),
        draft.dependencies(),
        inputs == null ? null : RECORDER.keep(inputs),
        draft.definition());
  }

  public static TreeTaskStarted started(String id, int attempt) {
    return new TreeTaskStarted(TREE, id, OWNER, EXECUTION, attempt, CALL, NOON);
  }

  public static TreeTaskCompleted completed(String id, int attempt) {
    return new TreeTaskCompleted(
        TREE, id, OWNER, attempt, CALL, RECORDER.keepResult(RESULT), RESULT, NOON);
  }

  public static TreeTaskFailed failed(String id, int attempt) {
    return new TreeTaskFailed(TREE, id, OWNER, attempt, "no route", -32000, CALL, NOON);
  }

  public static TreeTaskCancelled cancelled(String id) {
    return new TreeTaskCancelled(TREE, id, OWNER, "Cancelled by user", CALL, NOON);
  }

  public static TreeTaskReopened reopened(String id, @Nullable String cascadeFrom) {
    return new TreeTaskReopened(TREE, id, OWNER, cascadeFrom, CALL, NOON);
  }

  /** The record of a link to a task of another tree. */
  public static TreeTaskLinked linked(String id, String originalId) {
    return new TreeTaskLinked(TREE, id, OWNER, OTHER_TREE, originalId, CALL, NOON);
  }

  public static TreeTaskReferenced referenced(String id, boolean linked) {
    return new TreeTaskReferenced(TREE, id, OWNER, linked, CALL, NOON);
  }

  public static TreeTaskArchived archived(String id) {
    return new TreeTaskArchived(TREE, id, OWNER, CALL, NOON);
  }

  public static TreeExecutionStarted executionStarted(String taskId) {
    return new TreeExecutionStarted(
        TREE, OWNER, EXECUTION, taskId, CALL, false, NOON, null, CORRELATION);
  }

  public static TreeTaskUpdated updated(TaskDraft draft) {
    TreeTaskCreated created = created(draft);
    return new TreeTaskUpdated(TREE, created.taskId(), OWNER, created.content(), CALL, NOON);
  }

  public static TreeTaskDeleted deleted(String id) {
    return new TreeTaskDeleted(TREE, id, OWNER, CALL, NOON);
  }

  public static TreeExecutionEnded executionEnded(TreeStatus status, String... blocked) {
    return new TreeExecutionEnded(TREE, OWNER, EXECUTION, status, List.of(blocked), NOON);
  }

  public static CreateTree createTree(TaskDraft... drafts) {
    return new CreateTree(TREE, OWNER, List.of(drafts), CALL, NOON, RULES.hash(), ListedTools.NONE);
  }

  public static ChangeTree change(Change change) {
    return new ChangeTree(TREE, OWNER, change, CALL, NOON, RULES.hash(), ListedTools.NONE);
  }

  /** The command that makes copies in another tree. */
  public static CopyTasks copy(TaskCopy... copies) {
    return copy(false, copies);
  }

  public static CopyTasks copy(boolean requiresWhole, TaskCopy... copies) {
    return new CopyTasks(
        TREE,
        OTHER_TREE,
        OWNER,
        List.of(copies),
        requiresWhole,
        CALL,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  public static StartExecution execute(String id) {
    return new StartExecution(
        TREE,
        OWNER,
        id,
        EXECUTION,
        false,
        null,
        CALL,
        CORRELATION,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  public static StartExecution executeWithCascade(String id) {
    return new StartExecution(
        TREE,
        OWNER,
        id,
        EXECUTION,
        true,
        null,
        CALL,
        CORRELATION,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  public static StartExecution executeWithWebhook(String id) {
    return new StartExecution(
        TREE,
        OWNER,
        id,
        EXECUTION,
        false,
        new WebhookDraft(WEBHOOK_URL + "/ci?token=s3cret", WEBHOOK_CONFIG),
        CALL,
        CORRELATION,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  /** The start of an execution with a webhook. */
  public static TreeExecutionStarted webhookStarted(String taskId, boolean takenOver) {
    return new TreeExecutionStarted(
        TREE,
        OWNER,
        EXECUTION,
        taskId,
        CALL,
        takenOver,
        NOON,
        new TreeWebhook(WEBHOOK_URL + "/[REDACTED]", WEBHOOK_CONFIG),
        CORRELATION);
  }

  public static RecordDelivery delivery(boolean last, int attempt, RecordDelivery.Outcome outcome) {
    return new RecordDelivery(
        EXECUTION, last ? "final" : "task_start", "a", last, attempt, outcome, NOON);
  }

  public static StartTreeTask start(String id) {
    return new StartTreeTask(key(id), EXECUTION, NOON, CALL, NOON);
  }

  public static SettleTreeTask complete(String id, int attempt) {
    return settle(id, attempt, new SettleTreeTask.Ending.Result(RESULT));
  }

  public static SettleTreeTask fail(String id, int attempt) {
    return settle(id, attempt, new SettleTreeTask.Ending.Failure("no route", -32000));
  }

  public static RetryTreeTask retry(String id, int attempt) {
    return new RetryTreeTask(
        key(id),
        attempt,
        new SettleTreeTask.Ending.Failure("no route", -32000),
        CALL,
        EXECUTION,
        NOON.plusSeconds(1),
        NOON);
  }

  public static TreeTaskRetried retried(String id, int attempt) {
    return new TreeTaskRetried(
        TREE, id, OWNER, attempt, "no route", -32000, CALL, EXECUTION, NOON.plusSeconds(1), NOON);
  }

  private static SettleTreeTask settle(String id, int attempt, SettleTreeTask.Ending ending) {
    return new SettleTreeTask(key(id), attempt, ending, CALL, NOON, RULES.hash());
  }

  public static CancelTreeTask cancel(String id) {
    return new CancelTreeTask(key(id), "Cancelled by user", CALL, NOON);
  }

  /** Every kind of command and query about trees, with every member filled. */
  public static Stream<Object> commands() {
    return Stream.of(
        createTree(root("a", "b", "c?"), draft("b", "a"), draft("c", "a")),
        change(new Change.AddTasks(List.of(draft("d", "a", "a")))),
        change(new Change.UpdateTask(root("a"))),
        change(new Change.DeleteTask("a")),
        new ArchiveTasks(TREE, OWNER, List.of("a"), CALL, NOON),
        copy(new TaskCopy("a", root("b"), false)),
        executeWithCascade("a"),
        new TakeOverExecution(TREE, EXECUTION, NOON, NOON.plusSeconds(1)),
        new EndExecution(TREE, EXECUTION, TreeStatus.FAILED, List.of("a"), 0, NOON),
        start("a"),
        retry("a", 1),
        complete("a", 1),
        fail("a", 1),
        cancel("a"),
        executeWithWebhook("a"),
        delivery(true, 1, new RecordDelivery.Outcome.Delivered(204)),
        delivery(false, 2, new RecordDelivery.Outcome.NotDelivered(503, "no", true)),
        new TakeOverWebhook(EXECUTION, NOON, NOON.plusSeconds(1)),
        new GetWebhook(EXECUTION, RULES.hash()),
        new GetTree(TREE, OWNER, RULES.hash()),
        new GetTreeTask(key("a"), RULES.hash()));
  }
}
