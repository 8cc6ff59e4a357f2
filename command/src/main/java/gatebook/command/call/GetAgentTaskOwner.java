package gatebook.command.call;

import org.axonframework.modelling.annotation.TargetEntityId;

/** Asks whether a principal is the owner of an agent's task and context. */
public record GetAgentTaskOwner(@TargetEntityId AgentTaskKey key, String principal) {

  /**
   * Who owns the ids.
   *
   * @param isOwned whether the principal owns each
   * @param isForeign whether another one owns at least one; what nobody owns is neither
   */
  public record Result(boolean isOwned, boolean isForeign) {}
}
