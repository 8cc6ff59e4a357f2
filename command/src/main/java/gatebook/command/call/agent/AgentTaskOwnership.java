package gatebook.command.call.agent;

import gatebook.command.call.agent.GetAgentTaskOwner.HeldContext;
import gatebook.events.AgentTaskCreated;
import gatebook.events.vocabulary.AgentTaskTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Ownership of an agent's task and of its context, and what the owner was told instead. The first
 * owner of an id stays the owner, and the first id that was told for it stays that.
 */
@EventSourcedEntity
public final class AgentTaskOwnership {
  private final Map<String, String> taskOwners = new HashMap<>();
  private final Map<String, String> contextOwners = new HashMap<>();

  /** Of the tasks and the contexts whose owner was told another id. */
  private final Map<String, String> toldTasks = new HashMap<>();

  private final Map<String, String> toldContexts = new HashMap<>();

  /** The contexts that were told before the agent had one. */
  private final Map<String, HeldContext> heldContexts = new HashMap<>();

  @EntityCreator
  AgentTaskOwnership() {}

  /**
   * For a key without ids, criteria that match no event: empty ones would read the whole journal.
   */
  @EventCriteriaBuilder
  static EventCriteria criteria(AgentTaskKey key) {
    List<EventCriteria> either = new ArrayList<>();
    Stream.of(key.contextId(), key.told().contextId())
        .flatMap(Stream::ofNullable)
        .distinct()
        .map(id -> EventCriteria.havingTags(AgentTaskTag.ofContext(key.source(), id)))
        .forEach(either::add);
    if (key.taskId() != null || either.isEmpty()) {
      String taskId = key.taskId() == null ? "" : key.taskId();
      either.add(EventCriteria.havingTags(AgentTaskTag.ofTask(key.source(), taskId)));
    }
    return EventCriteria.either(either);
  }

  /** Whether the principal owns every id of the key. */
  boolean isOwned(AgentTaskKey key, String principal) {
    return (key.taskId() == null || principal.equals(taskOwner(key)))
        && (key.contextId() == null || principal.equals(contextOwner(key)));
  }

  /** Whether another principal owns an id of the key. */
  boolean isForeign(AgentTaskKey key, String principal) {
    return isOther(taskOwner(key), principal) || isOther(contextOwner(key), principal);
  }

  private static boolean isOther(@Nullable String owner, String principal) {
    return owner != null && !owner.equals(principal);
  }

  private @Nullable String taskOwner(AgentTaskKey key) {
    return taskOwners.get(key.taskId());
  }

  private @Nullable String contextOwner(AgentTaskKey key) {
    return contextOwners.get(key.contextId());
  }

  /** Whether the principal was told this context while its message was held, and has no other. */
  boolean awaitsAgent(@Nullable String contextId, String principal) {
    HeldContext held = heldContexts.get(contextId);
    return held != null && held.agentId() == null && principal.equals(contextOwners.get(contextId));
  }

  /** What the principal may know of the ids of the key. */
  public GetAgentTaskOwner.Result owner(AgentTaskKey key, String principal) {
    boolean isOwned = isOwned(key, principal);
    return isOwned
        ? new GetAgentTaskOwner.Result(
            true,
            false,
            new ToldIds(toldTasks.get(key.taskId()), toldContexts.get(key.contextId())),
            heldContexts.get(key.contextId()))
        : new GetAgentTaskOwner.Result(false, isForeign(key, principal));
  }

  /** The entity as it is after one more event. */
  AgentTaskOwnership after(AgentTaskCreated event) {
    AgentTaskOwnership after = new AgentTaskOwnership();
    after.taskOwners.putAll(taskOwners);
    after.contextOwners.putAll(contextOwners);
    after.toldTasks.putAll(toldTasks);
    after.toldContexts.putAll(toldContexts);
    after.heldContexts.putAll(heldContexts);
    after.on(event);
    return after;
  }

  @EventSourcingHandler
  void on(AgentTaskCreated event) {
    own(event.taskId(), taskOwners, event.toldTaskId(), toldTasks, event);
    own(event.contextId(), contextOwners, event.toldContextId(), toldContexts, event);
    String toldContextId = event.toldContextId();
    if (toldContextId != null) {
      hold(toldContextId, event);
    }
  }

  private static void own(
      @Nullable String id,
      Map<String, String> owners,
      @Nullable String toldId,
      Map<String, String> toldIds,
      AgentTaskCreated event) {
    if (id != null && owners.putIfAbsent(id, event.principal()) == null && toldId != null) {
      toldIds.put(id, toldId);
    }
  }

  private void hold(String toldContextId, AgentTaskCreated event) {
    String agentId = event.contextId();
    if (contextOwners.putIfAbsent(toldContextId, event.principal()) == null) {
      boolean isGenerated = toldContextId.equals(event.callId().toString());
      heldContexts.put(toldContextId, new HeldContext(agentId, isGenerated));
    } else if (agentId != null && awaitsAgent(toldContextId, event.principal())) {
      heldContexts.computeIfPresent(
          toldContextId, (_, held) -> new HeldContext(agentId, held.isGenerated()));
    }
  }
}
