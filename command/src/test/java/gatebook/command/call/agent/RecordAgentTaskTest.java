package gatebook.command.call.agent;

import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.call.Decision;
import gatebook.command.call.agent.GetAgentTaskOwner.HeldContext;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.Event;
import gatebook.events.TaskCreated;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who owns an agent's ids, and what the owner was told instead. */
final class RecordAgentTaskTest {
  private static final UUID HELD_CALL = new UUID(1, 2);
  private static final UUID LATER_CALL = new UUID(1, 3);
  private static final String TOLD = HELD_CALL.toString();
  private static final ToldIds HELD = new ToldIds("gb_1", TOLD);

  private final MessageRecognition messageRecognition = new MessageRecognition(GivenCall.DIGESTS);
  private final AgentTaskOwnership entity = new AgentTaskOwnership();

  @Test
  void toldContextIsPairedWithTheFirstOfTheAgent() {
    hold(HELD_CALL, TOLD);
    assertThat(owner(null, TOLD, "joe").heldContext()).isEqualTo(new HeldContext(null, true));
    assertThat(owner(null, TOLD, "joe").isFinal()).isFalse();
    assertThat(owner(null, TOLD, "ann")).isEqualTo(new GetAgentTaskOwner.Result(false, true));

    assertThat(record(HELD_CALL, "t", "c", HELD, "joe").told()).isEqualTo(HELD);
    assertThat(record(LATER_CALL, "t2", "c2", new ToldIds(null, TOLD), "joe").told())
        .isEqualTo(ToldIds.NONE);

    assertThat(owner(null, TOLD, "joe").heldContext()).isEqualTo(new HeldContext("c", true));
    assertThat(owner("t", "c", "joe"))
        .isEqualTo(new GetAgentTaskOwner.Result(true, false, HELD, null));
    assertThat(owner("t", "c", "ann")).isEqualTo(new GetAgentTaskOwner.Result(false, true));
  }

  @Test
  void contextThatHadMessagesBeforeIsNotPaired() {
    record(LATER_CALL, null, "mine", ToldIds.NONE, "joe");
    hold(HELD_CALL, "mine");

    ToldIds told = record(HELD_CALL, "t", "c", new ToldIds("gb_1", "mine"), "joe").told();

    assertThat(told).isEqualTo(new ToldIds("gb_1", null));
    assertThat(owner(null, "mine", "joe").heldContext()).isNull();
    assertThat(owner(null, "c", "joe").told()).isEqualTo(ToldIds.NONE);
  }

  @Test
  void contextThatTheAgentHadBeforeKeepsItsName() {
    record(LATER_CALL, "t", "c", ToldIds.NONE, "joe");
    hold(HELD_CALL, TOLD);

    assertThat(record(HELD_CALL, "t2", "c", HELD, "joe").told())
        .isEqualTo(new ToldIds("gb_1", null));
    assertThat(owner(null, TOLD, "joe").heldContext()).isEqualTo(new HeldContext("c", true));
  }

  @Test
  void contextThatTheAgentKeepsIsBoth() {
    hold(HELD_CALL, "mine");
    assertThat(owner(null, "mine", "joe").heldContext()).isEqualTo(new HeldContext(null, false));

    record(HELD_CALL, "t", "mine", new ToldIds("gb_1", "mine"), "joe");

    assertThat(owner("t", "mine", "joe"))
        .isEqualTo(
            new GetAgentTaskOwner.Result(
                true, false, new ToldIds("gb_1", null), new HeldContext("mine", false)));
  }

  private void hold(UUID call, String context) {
    TaskCreated task =
        new TaskCreated(
            call, "gb_1", TaskCreated.Form.TASK, NOON, 60_000, context, null, "planner");
    entity.on(RecordAgentTask.told(task, "joe").orElseThrow());
  }

  private GetAgentTaskOwner.Result record(
      UUID call, @Nullable String task, @Nullable String context, ToldIds told, String principal) {
    Decision<GetAgentTaskOwner.Result> decision =
        RecordAgentTask.decide(
            new RecordAgentTask(
                call,
                new AgentTaskKey("planner", task, context, told),
                principal,
                NOON,
                null,
                Rules.NONE.hash()),
            entity,
            messageRecognition);
    for (Event event : decision.events()) {
      entity.on((AgentTaskCreated) event);
    }
    return decision.outcome();
  }

  private GetAgentTaskOwner.Result owner(
      @Nullable String task, @Nullable String context, String principal) {
    return entity.owner(new AgentTaskKey("planner", task, context), principal);
  }
}
