package gatebook.api.a2a.upstream;

import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.ToldIds;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Owners of the most recently used ids of agents. The first owner of an id stays its owner, so an
 * entry stays true as long as the journal exists. Misses are not cached.
 */
final class OwnerCache {

  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final int idsMax;
  private final SequencedMap<AgentTaskKey, KnownOwner> known =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

  /** The owner of one id, and what it was told instead. */
  private record KnownOwner(String principal, GetAgentTaskOwner.Result result) {}

  /** Keeps at most {@code idsMax} ids of tasks and contexts. */
  OwnerCache(int idsMax) {
    this.idsMax = idsMax;
  }

  /** The ownership of the ids of a key, if the principal is known to own each. */
  synchronized Optional<GetAgentTaskOwner.Result> find(AgentTaskKey key, String principal) {
    KnownOwner task = known.get(ofTask(key));
    KnownOwner context = known.get(ofContext(key));
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
  synchronized void add(AgentTaskKey key, String principal, GetAgentTaskOwner.Result owner) {
    if (!owner.isFinal()) {
      return;
    }
    if (key.taskId() != null) {
      known.put(ofTask(key), new KnownOwner(principal, owner));
    }
    if (key.contextId() != null) {
      known.put(ofContext(key), new KnownOwner(principal, owner));
    }
    while (known.size() > idsMax) {
      known.pollFirstEntry();
    }
  }

  private static AgentTaskKey ofTask(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), key.taskId(), null);
  }

  private static AgentTaskKey ofContext(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), null, key.contextId());
  }
}
