package gatebook.api.a2a.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.gateway.message.CommandResult.Refused;
import gatebook.api.gateway.message.CommandResult.Stored;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.GetAgentTaskOwner.HeldContext;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.agent.ToldIds;
import gatebook.command.rules.Rules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners that are remembered are those of the journal, and it is asked for all others. */
final class AgentTaskOwnersTest {
  private static final UUID CALL = new UUID(1, 2);
  private static final Rules RULES = FixedToolsUpstream.rules();
  private static final AgentTaskKey TASK = new AgentTaskKey("planner", "t", null);
  private static final AgentTaskKey BOTH = new AgentTaskKey("planner", "t", "c");
  private static final IdentifiedMessage MESSAGE = new IdentifiedMessage("m", "{}");

  private final JournalOfOwners journal = new JournalOfOwners();
  private final AgentTaskOwners owners =
      TestOwners.of(journal::answer, new A2aMeters(new SimpleMeterRegistry()));

  @Test
  void recordedOwnerIsFoundWithoutTheJournal() {
    record(BOTH, null, "joe");

    assertThat(isOwned(TASK, "joe")).isTrue();
    assertThat(isOwned(BOTH, "joe")).isTrue();
    record(BOTH, null, "joe");
    assertThat(journal.asked).containsExactly("record t c joe");
  }

  @Test
  void foundOwnerIsRemembered() {
    journal.principals.put("t", "joe");

    assertThat(isOwned(TASK, "joe")).isTrue();
    assertThat(isOwned(TASK, "joe")).isTrue();
    assertThat(journal.asked).containsExactly("find t null joe");
  }

  @Test
  void anotherPrincipalIsAskedForEachTime() {
    record(BOTH, null, "joe");

    assertThat(isOwned(TASK, "ann")).isFalse();
    assertThat(isOwned(TASK, "ann")).isFalse();
    assertThat(owners.of("ann", RULES).record(CALL, BOTH, null))
        .isCompletedWithValue(new Stored<>(new GetAgentTaskOwner.Result(false, true)));
    assertThat(journal.asked)
        .containsExactly("record t c joe", "find t null ann", "find t null ann", "record t c ann");
    assertThat(isOwned(TASK, "joe")).isTrue();
  }

  @Test
  void unknownContextOfAnOwnTaskIsRecorded() {
    record(TASK, null, "joe");
    record(BOTH, null, "joe");

    assertThat(journal.asked).containsExactly("record t null joe", "record t c joe");
  }

  @Test
  void messageIsRecordedEvenIfItsTaskIsRemembered() {
    record(BOTH, null, "joe");
    record(BOTH, MESSAGE, "joe");

    assertThat(journal.asked).containsExactly("record t c joe", "record t c joe with m");
  }

  @Test
  void heldContextIsRememberedOnceTheAgentHasOne() {
    journal.told.putAll(Map.of("t", "told-t", "c", "told-c"));
    record(BOTH, null, "joe");
    assertThat(owners.of("joe", RULES).record(CALL, BOTH, null).join())
        .isEqualTo(
            new Stored<>(
                new GetAgentTaskOwner.Result(true, false, new ToldIds("told-t", "told-c"), null)));
    assertThat(journal.asked).hasSize(1);

    AgentTaskKey context = new AgentTaskKey("planner", null, "held");
    journal.held = new HeldContext(null, true);
    record(context, null, "joe");
    journal.held = new HeldContext("c-2", true);
    record(context, null, "joe");
    record(context, null, "joe");
    assertThat(journal.asked).hasSize(3);
  }

  @Test
  void tasksOfTwoAgentsAreTwo() {
    record(TASK, null, "joe");

    assertThat(isOwned(new AgentTaskKey("writer", null, "t"), "joe")).isTrue();
    assertThat(journal.asked).containsExactly("record t null joe", "find null t joe");
  }

  @Test
  void refusalIsNotRemembered() {
    journal.isDown = true;
    assertThat(owners.of("joe", RULES).find(TASK))
        .isCompletedWithValueMatching(Refused.class::isInstance);
    journal.isDown = false;

    assertThat(isOwned(TASK, "joe")).isFalse();
  }

  private boolean isOwned(AgentTaskKey key, String principal) {
    return owners.of(principal, RULES).find(key).join()
            instanceof Stored<GetAgentTaskOwner.Result>(var owner)
        && owner.isOwned();
  }

  private void record(AgentTaskKey key, @Nullable IdentifiedMessage message, String principal) {
    assertThat(owners.of(principal, RULES).record(CALL, key, message))
        .isCompletedWithValueMatching(
            it -> it instanceof Stored<GetAgentTaskOwner.Result>(var owner) && owner.isOwned());
  }

  /** Owners by id, and what was asked for. */
  private static final class JournalOfOwners {
    final Map<String, String> principals = new HashMap<>();
    final Map<String, String> told = new HashMap<>();
    final List<String> asked = new ArrayList<>();
    @Nullable HeldContext held;
    boolean isDown;

    CompletableFuture<?> answer(Object message) {
      return switch (message) {
        case GetAgentTaskOwner(var key, var principal) -> find(key, principal);
        case RecordAgentTask command -> record(command);
        default -> throw new AssertionError(message);
      };
    }

    private CompletableFuture<?> find(AgentTaskKey key, String principal) {
      asked.add("find %s %s %s".formatted(key.taskId(), key.contextId(), principal));
      return isDown
          ? FakeCommandGateway.refused(FakeCommandGateway.STOPPED)
          : CompletableFuture.completedFuture(owner(key, principal));
    }

    private CompletableFuture<?> record(RecordAgentTask command) {
      AgentTaskKey key = command.key();
      asked.add(
          "record %s %s %s%s"
              .formatted(
                  key.taskId(),
                  key.contextId(),
                  command.principal(),
                  command.message() == null ? "" : " with " + command.message().messageId()));
      ids(key).forEach(id -> principals.putIfAbsent(id, command.principal()));
      return CompletableFuture.completedFuture(owner(key, command.principal()));
    }

    private GetAgentTaskOwner.Result owner(AgentTaskKey key, String principal) {
      List<String> found = ids(key).stream().map(id -> principals.getOrDefault(id, "")).toList();
      return new GetAgentTaskOwner.Result(
          found.stream().allMatch(principal::equals),
          found.stream().anyMatch(it -> !it.isEmpty() && !it.equals(principal)),
          new ToldIds(
              key.taskId() == null ? null : told.get(key.taskId()),
              key.contextId() == null ? null : told.get(key.contextId())),
          held);
    }

    private static List<String> ids(AgentTaskKey key) {
      return Stream.of(key.taskId(), key.contextId()).filter(Objects::nonNull).toList();
    }
  }
}
