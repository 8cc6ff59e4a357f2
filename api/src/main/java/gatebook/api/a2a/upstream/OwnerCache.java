package gatebook.api.a2a.upstream;

import gatebook.api.gateway.RecentEntries;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.ToldIds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owners of the most recently used ids of agents. The first owner of an id stays its owner, so an
 * entry stays true as long as the journal exists. Misses are not cached.
 */
final class OwnerCache {

  /** The number of ids of tasks and contexts: some MiB when all have the greatest length. */
  private static final int IDS_MAX = 10_000;

  private final RecentEntries<AgentTaskKey, KnownOwner> known = new RecentEntries<>();

  /** The owner of one id, and what it was told instead. */
  private record KnownOwner(String principal, GetAgentTaskOwner.Result result) {}

  /** The ownership of the ids of a key, if the principal is known to own each. */
  Optional<GetAgentTaskOwner.Result> find(AgentTaskKey key, String principal) {
    KnownOwner task = known.find(ofTask(key)).orElse(null);
    KnownOwner context = known.find(ofContext(key)).orElse(null);
    return isKnown(key.taskId(), task, principal) && isKnown(key.contextId(), context, principal)
        ? Optional.of(joined(task, context))
        : Optional.empty();
  }

  private static boolean isKnown(
      @Nullable String id, @Nullable KnownOwner owner, String principal) {
    return id == null || (owner != null && principal.equals(owner.principal));
  }

  private static GetAgentTaskOwner.Result joined(
      @Nullable KnownOwner task, @Nullable KnownOwner context) {
    return new GetAgentTaskOwner.Result(
        true,
        false,
        new ToldIds(
            task == null ? null : task.result.told().taskId(),
            context == null ? null : context.result.told().contextId()),
        context == null ? null : context.result.heldContext());
  }

  /**
   * Remembers an ownership that nothing changes later, and no other. It has an entry for each id: a
   * task may be asked for with its context and without.
   */
  void add(AgentTaskKey key, String principal, GetAgentTaskOwner.Result owner) {
    if (owner.isFinal()) {
      KnownOwner knownOwner = new KnownOwner(principal, owner);
      if (key.taskId() != null) {
        add(ofTask(key), knownOwner);
      }
      if (key.contextId() != null) {
        add(ofContext(key), knownOwner);
      }
    }
  }

  private void add(AgentTaskKey id, KnownOwner owner) {
    var _ = known.add(id, owner, (_, latest) -> latest, IDS_MAX);
  }

  private static AgentTaskKey ofTask(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), key.taskId(), null);
  }

  private static AgentTaskKey ofContext(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), null, key.contextId());
  }
}
