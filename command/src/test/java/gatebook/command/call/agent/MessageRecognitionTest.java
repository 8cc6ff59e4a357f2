package gatebook.command.call.agent;

import static gatebook.command.GivenCall.NOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.call.agent.FindSentMessage.Result;
import gatebook.command.keep.PayloadCipher;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recognition of messages to agents upstream that are sent again. */
final class MessageRecognitionTest {
  private static final UUID CALL = new UUID(1, 2);
  private static final Rules RULES = Rules.NONE;
  private static final long KEPT_MILLIS = RULES.limits().get(Limit.AGENT_MESSAGE_KEPT_MILLIS);
  private static final IdentifiedMessage MESSAGE = new IdentifiedMessage("m", "x");
  private static final PayloadRecorder RECORDER =
      new PayloadRecorder(
          new byte[PayloadRecorder.KEY_BYTES],
          new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]));

  private final MessageRecognition messageRecognition = new MessageRecognition(_ -> RECORDER);
  private final SentMessageEntity sent = new SentMessageEntity();

  private Result find(String content, Instant at) {
    return messageRecognition.find(
        new FindSentMessage(new SentMessageKey("joe", "planner", "m"), content, RULES.hash(), at),
        sent,
        RULES);
  }

  private AgentTaskCreated agentTask(IdentifiedMessage message, Instant at) {
    return agentTask("task-1", message, at);
  }

  private AgentTaskCreated agentTask(String taskId, IdentifiedMessage message, Instant at) {
    return new AgentTaskCreated(
        CALL,
        "planner",
        "joe",
        taskId,
        "context-1",
        at,
        messageRecognition.sent("joe", "planner", message, RULES));
  }

  private TaskCreated heldTask(Instant at, long ttlMillis) {
    return heldTask(at, ttlMillis, MESSAGE);
  }

  private TaskCreated heldTask(Instant at, long ttlMillis, IdentifiedMessage message) {
    return new TaskCreated(
        CALL,
        "gb_1",
        TaskCreated.Form.TASK,
        at,
        ttlMillis,
        null,
        messageRecognition.sent("joe", "planner", message, RULES));
  }

  @Test
  void messageThatWasNotSentHasNoTask() {
    assertThat(find("x", NOON)).isEqualTo(new Result.None());
  }

  @ParameterizedTest
  @CsvSource({"-1,true", "0,false"})
  void taskOfAnAgentIsFoundForTenMinutes(long millis, boolean isFound) {
    sent.on(agentTask(MESSAGE, NOON));

    assertThat(find("x", NOON.plusMillis(KEPT_MILLIS + millis)))
        .isEqualTo(isFound ? new Result.HasTask("task-1") : new Result.None());
  }

  @Test
  void otherContentUsesTheIdAgainUntilItIsForgotten() {
    sent.on(agentTask(MESSAGE, NOON));

    assertThat(find("y", NOON)).isEqualTo(new Result.UsesIdAgain());
    assertThat(find("y", NOON.plusMillis(KEPT_MILLIS))).isEqualTo(new Result.None());
  }

  @Test
  void messageIsFoundAmongOthersWithItsId() {
    sent.on(agentTask("task-1", MESSAGE, NOON));
    sent.on(agentTask("task-2", new IdentifiedMessage("m", "y"), NOON));
    sent.on(heldTask(NOON, KEPT_MILLIS, new IdentifiedMessage("m", "z")));

    assertThat(find("x", NOON)).isEqualTo(new Result.HasTask("task-1"));
    assertThat(find("y", NOON)).isEqualTo(new Result.HasTask("task-2"));
    assertThat(find("z", NOON)).isEqualTo(new Result.HasTask("gb_1"));
  }

  /** As after a change of the key, or at a node with another one. */
  @ParameterizedTest
  @ValueSource(strings = {"x", "y"})
  void contentUnderAnotherKeyIsNotCompared(String content) {
    MessageRecognition other =
        new MessageRecognition(_ -> new PayloadRecorder("k".repeat(32).getBytes(UTF_8)));
    sent.on(
        new AgentTaskCreated(
            CALL,
            "planner",
            "joe",
            "task-1",
            null,
            NOON,
            other.sent("joe", "planner", MESSAGE, RULES)));

    assertThat(find(content, NOON)).isEqualTo(new Result.HasTask("task-1"));
  }

  @Test
  void idOfTheHeldMessageGoesBeforeTheAgents() {
    sent.on(heldTask(NOON, KEPT_MILLIS));
    sent.on(agentTask(MESSAGE, NOON.plusSeconds(60)));

    assertThat(find("x", NOON.plusMillis(KEPT_MILLIS - 1))).isEqualTo(new Result.HasTask("gb_1"));
    assertThat(find("x", NOON.plusMillis(KEPT_MILLIS))).isEqualTo(new Result.HasTask("task-1"));
  }

  @Test
  void heldMessageIsForgottenWithItsTask() {
    sent.on(heldTask(NOON, 1_000));

    assertThat(find("x", NOON.plusMillis(999))).isEqualTo(new Result.HasTask("gb_1"));
    assertThat(find("x", NOON.plusMillis(1_000))).isEqualTo(new Result.None());
  }
}
