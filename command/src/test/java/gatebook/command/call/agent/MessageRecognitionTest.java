package gatebook.command.call.agent;

import static gatebook.command.GivenCall.NOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.call.agent.FindSentMessage.Result;
import gatebook.command.keep.ContentDigests;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.SentMessage;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyFingerprint;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
  private static final byte[] OLD_KEY = "k".repeat(ContentKey.BYTES).getBytes(UTF_8);

  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final MessageRecognition messageRecognition =
      new MessageRecognition(new ContentDigests(contentKeys, new OldKeys(null, OLD_KEY)));
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
        messageRecognition.sent("joe", "planner", message, at));
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
        messageRecognition.sent("joe", "planner", message, at));
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

  @ParameterizedTest
  @CsvSource({"x,true", "y,false"})
  void contentIsComparedUnderTheKeyOfItsDay(String content, boolean isSame) {
    Instant midnight = NOON.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    sent.on(agentTask(MESSAGE, midnight.minusSeconds(1)));

    assertThat(find(content, midnight.plusSeconds(1)))
        .isEqualTo(isSame ? new Result.HasTask("task-1") : new Result.UsesIdAgain());
  }

  @ParameterizedTest
  @CsvSource({"x,true", "y,false"})
  void contentIsComparedUnderTheDigestKeyOfBefore(String content, boolean isSame) {
    sent.on(agentTask(new Digest(KeyFingerprint.of(OLD_KEY), hmac(OLD_KEY, "x"))));

    assertThat(find(content, NOON))
        .isEqualTo(isSame ? new Result.HasTask("task-1") : new Result.UsesIdAgain());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "y"})
  void idDecidesWhenTheKeyWasErased(String content) {
    sent.on(agentTask(MESSAGE, NOON));
    contentKeys.erase(ContentOwner.at("joe", NOON));

    assertThat(find(content, NOON)).isEqualTo(new Result.HasTask("task-1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "y"})
  void idDecidesWhenTheKeyIsOfAnotherNode(String content) {
    sent.on(
        agentTask(
            new ContentDigests(new MemoryContentKeys(), OldKeys.NONE)
                .digest(ContentOwner.at("joe", NOON), "x".getBytes(UTF_8))));

    assertThat(find(content, NOON)).isEqualTo(new Result.HasTask("task-1"));
  }

  private static AgentTaskCreated agentTask(Digest content) {
    String key = new SentMessageKey("joe", "planner", "m").value();
    return new AgentTaskCreated(
        CALL, "planner", "joe", "task-1", null, NOON, new SentMessage(key, content));
  }

  /** The digest as it was made before there were content keys. */
  private static Bytes hmac(byte[] key, String content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return Bytes.of(mac.doFinal(content.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
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
