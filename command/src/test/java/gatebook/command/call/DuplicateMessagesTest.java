package gatebook.command.call;

import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.CommandNodes;
import gatebook.command.CommandNodes.Storage;
import gatebook.command.GivenCall;
import gatebook.command.GivenSources;
import gatebook.command.keep.ContentDigests;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import gatebook.events.call.Principal;
import gatebook.events.journal.Journal;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are sent again, with the same id. */
@Timeout(300)
final class DuplicateMessagesTest {
  private static final int ROUNDS = 20;
  private static final int SENDERS = 6;
  private static final long KEPT_MILLIS =
      GatewayLimits.DEFAULT.get(Limit.AGENT_MESSAGE_KEPT_MILLIS);
  private static final Rules RULES =
      GivenSources.rules(
          List.of(GivenSources.source("s", "", GivenSources.expose(Exposure.ALL))),
          GivenSources.rule(1, "drop", Action.DENY, null),
          GivenSources.rule(2, "deploy", Action.APPROVE, "ops"));
  @TempDir private Path directory;

  private final CommandNodes commandNodes = new CommandNodes();
  private int calls;

  @AfterEach
  void close() {
    commandNodes.close();
  }

  @ParameterizedTest
  @EnumSource
  void concurrentMessagesHaveOneTask(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = journals.stream().map(this::node).toList();
    for (int round = 0; round < ROUNDS; round++) {
      String id = "m-" + round;
      String skill = round % 2 == 0 ? "read" : "deploy";

      List<ReceiveOutcome> outcomes =
          IntStream.range(0, SENDERS)
              .mapToObj(i -> send(nodes.get(i % nodes.size()), message("ada", skill, id, "x")))
              .toList()
              .stream()
              .map(CompletableFuture::join)
              .toList();

      List<String> created =
          outcomes.stream()
              .filter(it -> !isDuplicate(it))
              .map(DuplicateMessagesTest::taskId)
              .toList();
      assertThat(created).hasSize(1);
      assertThat(outcomes)
          .extracting(DuplicateMessagesTest::taskId)
          .containsOnly(created.getFirst());
    }
    assertThat(tasks(journals.getFirst())).isEqualTo(ROUNDS);
  }

  @Test
  void messageIsKnownAfterARestart() {
    String task = taskId(sent(node(commandNodes.journal(directory)), message("ada", "m", "x")));
    commandNodes.close();
    try (CommandNodes restarted = new CommandNodes()) {
      ReceiveOutcome duplicate =
          sent(node(restarted.journal(directory), restarted), message("ada", "m", "x"));

      assertThat(isDuplicate(duplicate)).isTrue();
      assertThat(taskId(duplicate)).isEqualTo(task);
    }
  }

  @Test
  void otherContentUnderAUsedIdIsANewMessage() {
    Journal journal = commandNodes.journal(directory);
    CommandGateway node = node(journal);
    ReceiveOutcome first = sent(node, message("ada", "m", "x"));

    ReceiveOutcome other = sent(node, message("ada", "m", "y"));
    ReceiveOutcome held = sent(node, message("ada", "deploy", "m", "z"));

    assertThat(List.of(first.usesIdAgain(), other.usesIdAgain(), held.usesIdAgain()))
        .containsExactly(false, true, true);
    assertThat(tasks(journal)).isEqualTo(3);
    Map.of("x", first, "y", other, "z", held)
        .forEach((content, earlier) -> {
          ReceiveOutcome duplicate = sent(node, message("ada", "m", content));
          assertThat(isDuplicate(duplicate)).isTrue();
          assertThat(taskId(duplicate)).isEqualTo(taskId(earlier));
          assertThat(duplicate.usesIdAgain()).isFalse();
        });
    assertThat(tasks(journal)).isEqualTo(3);
  }

  /** As at a node that has other keys. */
  @Test
  void contentUnderAMissingKeyIsNotCompared() {
    Journal journal = commandNodes.journal(directory);
    String task = taskId(sent(node(journal), message("ada", "m", "x")));
    ContentDigests other = new ContentDigests(new MemoryContentKeys(), OldKeys.NONE);

    assertThat(taskId(sent(node(journal, commandNodes, other), message("ada", "m", "x"))))
        .isEqualTo(task);
    assertThat(tasks(journal)).isEqualTo(1);
  }

  @Test
  void anotherSenderAgentOrIdIsAnotherMessage() {
    CommandGateway node = node(commandNodes.journal(directory));
    sent(node, message("ada", "m", "x"));

    assertThat(isDuplicate(sent(node, message("joe", "m", "x")))).isFalse();
    assertThat(isDuplicate(sent(node, message("ada", "n", "x")))).isFalse();
    assertThat(isDuplicate(sent(node, to("planner", message("ada", "m", "x"))))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1,true", "0,false"})
  void messageIsForgottenAfterTenMinutes(long millis, boolean isDuplicate) {
    CommandGateway node = node(commandNodes.journal(directory));
    sent(node, message("ada", "m", "x"));
    assertThat(KEPT_MILLIS).isEqualTo(600_000);
    Instant later = NOON.plusMillis(KEPT_MILLIS + millis);

    assertThat(sent(node, at(later, message("ada", "m", "y"))).usesIdAgain())
        .isEqualTo(isDuplicate);
    assertThat(isDuplicate(sent(node, at(later, message("ada", "m", "x"))))).isEqualTo(isDuplicate);
  }

  @Test
  void idIsKeptAnewByTheTaskThatFollows() {
    CommandGateway node = node(commandNodes.journal(directory));
    sent(node, message("ada", "m", "x"));
    Instant later = NOON.plusMillis(KEPT_MILLIS);
    String second = taskId(sent(node, at(later, message("ada", "m", "y"))));

    ReceiveOutcome duplicate =
        sent(node, at(later.plusMillis(KEPT_MILLIS - 1), message("ada", "m", "y")));
    assertThat(isDuplicate(duplicate)).isTrue();
    assertThat(taskId(duplicate)).isEqualTo(second);
  }

  @Test
  void deniedMessageIsDecidedAnew() {
    Journal journal = commandNodes.journal(directory);
    CommandGateway node = node(journal);

    for (String content : List.of("x", "x", "y")) {
      assertThat(sent(node, message("ada", "drop", "m", content)))
          .isInstanceOfSatisfying(
              ReceiveOutcome.Refused.class,
              refused -> assertThat(refused.denialReason()).isNotNull());
    }
    assertThat(tasks(journal)).isZero();
  }

  private CommandGateway node(Journal journal) {
    return node(journal, commandNodes);
  }

  private static CommandGateway node(Journal journal, CommandNodes nodes) {
    return node(journal, nodes, GivenCall.DIGESTS);
  }

  private static CommandGateway node(
      Journal journal, CommandNodes nodes, ContentDigests contentDigests) {
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(RULES);
    return nodes.start(
        journal, GivenCall.handlers(rulesByHash, new UnlimitedQuota(), contentDigests));
  }

  private static final class UnlimitedQuota implements CallQuotas {
    @Override
    public QuotaResult take(QuotaRequest request) {
      return QuotaResult.TAKEN;
    }

    @Override
    public void giveBack(UUID callId) {
      // there is enough
    }
  }

  private static CompletableFuture<ReceiveOutcome> send(CommandGateway node, ReceiveCall call) {
    assertThat(ReceiveMessage.applies(call)).isTrue();
    return node.send(new ReceiveMessage(call), ReceiveOutcome.class);
  }

  private static ReceiveOutcome sent(CommandGateway node, ReceiveCall call) {
    return send(node, call).join();
  }

  private static boolean isDuplicate(ReceiveOutcome outcome) {
    return outcome instanceof ReceiveOutcome.Duplicate;
  }

  private static String taskId(ReceiveOutcome outcome) {
    return switch (outcome) {
      case ReceiveOutcome.Duplicate(var task) -> task.text();
      case ReceiveOutcome.Started(_, _, var task, _) -> task.taskId();
      case ReceiveOutcome.Deferred(_, var task, _) -> task.taskId();
      default -> throw new AssertionError(outcome);
    };
  }

  private static long tasks(Journal journal) {
    return journal.read(0, 1_000).stream()
        .filter(entry -> entry.name().equals("gatebook.TaskCreated"))
        .count();
  }

  private ReceiveCall message(String principal, String messageId, String content) {
    return message(principal, "read", messageId, content);
  }

  private ReceiveCall message(String principal, String skill, String messageId, String content) {
    UUID callId = new UUID(GivenCall.CALL.getMostSignificantBits(), ++calls);
    ReceiveCall call = GivenCall.call(skill, RULES);
    return with(
        call,
        callId,
        NOON,
        new Principal(principal, List.of(), Map.of()),
        new Deferral(
            TaskId.generate(callId).text(),
            TaskCreated.Form.TASK,
            Deferral.Condition.ALWAYS,
            null,
            "c",
            new IdentifiedMessage(messageId, content)),
        null);
  }

  private static ReceiveCall at(Instant receivedAt, ReceiveCall call) {
    return with(call, call.callId(), receivedAt, call.principal(), call.deferral(), call.agent());
  }

  private static ReceiveCall to(String agent, ReceiveCall call) {
    return with(call, call.callId(), call.receivedAt(), call.principal(), call.deferral(), agent);
  }

  private static ReceiveCall with(
      ReceiveCall call,
      UUID callId,
      Instant receivedAt,
      Principal principal,
      @Nullable Deferral deferral,
      @Nullable String agent) {
    return new ReceiveCall(
        callId,
        call.correlationId(),
        call.traceId(),
        call.dialectVersion(),
        call.transport(),
        receivedAt,
        call.method(),
        call.rpcId(),
        principal,
        call.intent(),
        call.params(),
        call.arguments(),
        deferral,
        call.rulesHash(),
        call.treeTaskId(),
        agent,
        List.of());
  }
}
