package gatebook.command.call;

import org.axonframework.modelling.annotation.TargetEntityId;

/** Asks whether a principal is the owner of an agent's task and context. */
public record GetAgentTaskOwner(@TargetEntityId AgentTaskKey key, String principal) {

  /** What nobody owns is not told from what another one owns. */
  public record Result(boolean isOwned) {}
}
