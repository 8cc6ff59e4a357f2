package gatebook.command.call.agent;

import org.axonframework.modelling.annotation.TargetEntityId;
import org.jspecify.annotations.Nullable;

/** Asks whether a principal is the owner of an agent's task and context. */
public record GetAgentTaskOwner(@TargetEntityId AgentTaskKey key, String principal) {

  /**
   * The ownership of the ids.
   *
   * @param isOwned whether the principal owns each
   * @param isForeign whether another one owns at least one; an id without an owner is neither
   * @param told what the principal was told instead of the ids
   * @param heldContext absent unless the principal was told the context of the key while its
   *     message was held
   */
  public record Result(
      boolean isOwned, boolean isForeign, ToldIds told, @Nullable HeldContext heldContext) {

    /** Who owns ids that the principal was told as the agent gave them. */
    public Result(boolean isOwned, boolean isForeign) {
      this(isOwned, isForeign, ToldIds.NONE, null);
    }

    /** Whether nothing of this changes later. */
    public boolean isFinal() {
      return isOwned && (heldContext == null || heldContext.agentId() != null);
    }
  }

  /**
   * A context that a principal was told while its message was held.
   *
   * @param agentId the agent's own, which may be the same; absent until the agent has answered
   * @param isGenerated whether the message named none, so that the agent has never had the id
   */
  public record HeldContext(@Nullable String agentId, boolean isGenerated) {}
}
