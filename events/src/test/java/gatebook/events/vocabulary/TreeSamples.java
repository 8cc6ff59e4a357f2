package gatebook.events.vocabulary;

import static gatebook.events.vocabulary.Samples.CALL;
import static gatebook.events.vocabulary.Samples.DIGEST;
import static gatebook.events.vocabulary.Samples.NOON;

import gatebook.events.Event;
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
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.call.Correlation;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One of every event about trees of tasks, with every member filled that its first form had. */
final class TreeSamples {
  static final UUID TREE = UUID.fromString("0199a3c2-7d12-7bbb-8ccc-1d2e3f4a5b6c");
  static final String ITEM = "550e8400-e29b-41d4-a716-446655440000";
  static final String OWNER = "ci";
  static final UUID EXECUTION = UUID.fromString("0199a3c2-7d13-7ccc-9ddd-2e3f4a5b6c7d");
  private static final String TEXT = "{\"report\": \"größer\"}";
  private static final KeptContent KEPT =
      new KeptContent(51, DIGEST, JsonValue.parse("{\"url\": \"[REDACTED]\"}"), null);

  private TreeSamples() {}

  static Map<String, Event> events() {
    return Map.ofEntries(
        Map.entry(
            "TreeTaskCreated.2",
            new TreeTaskCreated(TREE, ITEM, OWNER, "root", content("größer 🙂"), CALL, NOON)),
        Map.entry(
            "TreeTaskUpdated.2",
            new TreeTaskUpdated(TREE, ITEM, OWNER, content("smaller"), CALL, NOON)),
        Map.entry("TreeTaskDeleted.1", new TreeTaskDeleted(TREE, ITEM, OWNER, CALL, NOON)),
        Map.entry(
            "TreeTaskStarted.1", new TreeTaskStarted(TREE, ITEM, OWNER, EXECUTION, 2, null, NOON)),
        Map.entry(
            "TreeTaskRetried.1",
            new TreeTaskRetried(
                TREE, ITEM, OWNER, 3, "no connection", -32_603, CALL, EXECUTION, NOON, NOON)),
        Map.entry(
            "TreeTaskCompleted.2",
            new TreeTaskCompleted(TREE, ITEM, OWNER, 2, CALL, KEPT, TEXT, NOON)),
        Map.entry(
            "TreeTaskFailed.1",
            new TreeTaskFailed(TREE, ITEM, OWNER, 2, "timed out after 30 s", -32000, CALL, NOON)),
        Map.entry(
            "TreeTaskCancelled.1",
            new TreeTaskCancelled(TREE, ITEM, OWNER, "Cancelled by user", CALL, NOON)),
        Map.entry(
            "TreeTaskReopened.1", new TreeTaskReopened(TREE, ITEM, OWNER, "root", CALL, NOON)),
        Map.entry(
            "TreeTaskLinked.1",
            new TreeTaskLinked(TREE, ITEM, OWNER, EXECUTION, "report", CALL, NOON)),
        Map.entry(
            "TreeTaskReferenced.1", new TreeTaskReferenced(TREE, ITEM, OWNER, true, CALL, NOON)),
        Map.entry("TreeTaskArchived.1", new TreeTaskArchived(TREE, ITEM, OWNER, CALL, NOON)),
        Map.entry(
            "TreeExecutionStarted.2",
            new TreeExecutionStarted(TREE, OWNER, EXECUTION, ITEM, CALL, true, NOON, null, null)),
        Map.entry(
            "TreeExecutionStarted.2.webhook",
            new TreeExecutionStarted(
                TREE,
                OWNER,
                EXECUTION,
                ITEM,
                CALL,
                false,
                NOON,
                new TreeWebhook("https://hooks.example.com/[REDACTED]", TEXT),
                null)),
        Map.entry(
            "TreeExecutionStarted.2.correlation",
            new TreeExecutionStarted(
                TREE,
                OWNER,
                EXECUTION,
                ITEM,
                CALL,
                false,
                NOON,
                null,
                new Correlation(
                    "order-7",
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "vendor=1"))),
        Map.entry(
            "TreeExecutionEnded.1",
            new TreeExecutionEnded(
                TREE, OWNER, EXECUTION, TreeStatus.FAILED, List.of("report", ITEM), NOON)),
        Map.entry(
            "TreeWebhookDelivered.1",
            new TreeWebhookDelivered(
                TREE, OWNER, EXECUTION, "task_completed", ITEM, true, 2, 204, NOON)),
        Map.entry(
            "TreeWebhookFailed.1",
            new TreeWebhookFailed(
                TREE,
                OWNER,
                EXECUTION,
                "final",
                ITEM,
                true,
                4,
                503,
                "the receiver failed",
                true,
                NOON)),
        Map.entry(
            "TreeWebhookTakenOver.1", new TreeWebhookTakenOver(TREE, OWNER, EXECUTION, NOON)));
  }

  private static TaskContent content(String name) {
    return new TaskContent(
        name,
        "tools__fetch",
        3,
        List.of(new TaskDependency("report", true), new TaskDependency("audit", false)),
        KEPT,
        TEXT);
  }
}
