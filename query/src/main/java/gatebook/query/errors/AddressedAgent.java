package gatebook.query.errors;

import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.UnknownSkill;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent and the skill that a call addressed.
 *
 * @param agent absent for the built-in agent, and where the agent is not known
 * @param skill absent where the call named none
 */
record AddressedAgent(@Nullable String agent, @Nullable String skill) {
  static final AddressedAgent NONE = new AddressedAgent(null, null);

  private static final String SKILLS = "/skills/";

  /** The agent of a call with these events, and with an error because of a fault. */
  static AddressedAgent of(List<CallEvent> events, Fault fault) {
    return events.stream()
        .filter(CallReceived.class::isInstance)
        .map(CallReceived.class::cast)
        .filter(received -> received.dialect() == Dialect.A2A)
        .findFirst()
        .map(received -> of(received, fault))
        .orElse(NONE);
  }

  private static AddressedAgent of(CallReceived received, Fault fault) {
    return new AddressedAgent(
        received.agent(),
        fault instanceof UnknownSkill(var skill)
            ? skill
            : skill(received.agent(), received.target()));
  }

  /** The target of a built-in agent's call is its skill; others name it after the method. */
  private static @Nullable String skill(@Nullable String agent, @Nullable String target) {
    if (agent == null || target == null) {
      return target;
    }
    String before = " " + agent + SKILLS;
    int at = target.indexOf(before);
    return at < 0 ? null : target.substring(at + before.length());
  }
}
