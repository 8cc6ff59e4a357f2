package gatebook.command.call;

import org.axonframework.modelling.annotation.TargetEntityId;

/** Asks whether a principal is the owner of an agent's task and context. */
public record GetAgentTaskOwner(@TargetEntityId AgentTaskKey key, String principal) {

  /**
   * The ownership of the ids.
   *
   * @param isOwned whether the principal owns each
   * @param isForeign whether another one owns at least one; an id without an owner is neither
   */
  public record Result(boolean isOwned, boolean isForeign) {}
}
