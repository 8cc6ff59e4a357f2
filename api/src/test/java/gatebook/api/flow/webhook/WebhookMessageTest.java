package gatebook.api.flow.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TaskOrigin;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WebhookMessageTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final String DEFINITION = "{}";

  @Test
  void aStartIsToldWithItsTask() {
    assertThat(told(new ExecutionFact.TaskStarted("a \"b\"", NOON)))
        .isEqualTo(
            """
            {"protocol":"jsonrpc","root_task_id":"root","task_id":"a \\"b\\"",\
            "status":"in_progress","progress":0.5,"message":"Task started","type":"task_start",\
            "timestamp":"2026-10-01T12:00:00Z","final":false}\
            """);
  }

  @Test
  void waitingAndRetriesAreProgress() {
    assertThat(told(new ExecutionFact.TaskHeld("a", NOON)))
        .contains("\"message\":\"Task waits for an approval\",\"type\":\"progress\"");
    assertThat(told(new ExecutionFact.TaskRetried("a", NOON.plusSeconds(1), NOON)))
        .contains("\"message\":\"Task is tried again\",\"type\":\"progress\"");
  }

  @Test
  void aCompletedTaskIsToldWithItsResult() {
    assertThat(told(new ExecutionFact.TaskEnded(read(TreeStatus.COMPLETED, null))))
        .isEqualTo(
            """
            {"protocol":"jsonrpc","root_task_id":"root","task_id":"a","status":"completed",\
            "progress":0.5,"message":"Task completed","type":"task_completed",\
            "timestamp":"2026-10-01T12:00:00Z","final":false,"result":{"n":1}}\
            """);
  }

  @Test
  void aTaskThatFailedIsToldWithItsError() {
    assertThat(told(new ExecutionFact.TaskEnded(read(TreeStatus.FAILED, "no \"route\""))))
        .endsWith(
            """
            "message":"Task failed","type":"task_failed","timestamp":"2026-10-01T12:00:00Z",\
            "final":false,"error":"no \\"route\\""}\
            """);
    assertThat(told(new ExecutionFact.TaskEnded(read(TreeStatus.CANCELLED, "no"))))
        .contains("\"status\":\"cancelled\"", "\"type\":\"task_cancelled\"", "\"error\":\"no\"");
  }

  @Test
  void theEndIsToldWithTheExecutedTask() {
    ExecutionFact end = new ExecutionFact.ExecutionEnded(TreeStatus.COMPLETED, List.of(), NOON);

    assertThat(WebhookMessage.of(end, 0.5, "a").with(read(TreeStatus.COMPLETED, null)).json("root"))
        .isEqualTo(
            """
            {"protocol":"jsonrpc","root_task_id":"root","task_id":"a","status":"completed",\
            "progress":1.0,"message":"Execution completed","type":"final",\
            "timestamp":"2026-10-01T12:00:00Z","final":true,"result":{"n":1}}\
            """);
  }

  private static String told(ExecutionFact fact) {
    return WebhookMessage.of(fact, 0.5, "executed").json("root");
  }

  private static ReadTask read(TreeStatus status, @Nullable String error) {
    return new ReadTask(
        new TreeTask(
            new UUID(0, 1),
            new TaskKey("ada", "a"),
            null,
            new TaskContent("a", null, 2, List.of(), null, DEFINITION),
            status,
            1,
            1,
            error,
            null,
            null,
            DEFINITION,
            NOON,
            NOON,
            NOON,
            NOON,
            TaskOrigin.OWN),
        "{}",
        "{\"n\":1}");
  }
}
