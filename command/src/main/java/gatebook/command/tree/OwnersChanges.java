package gatebook.command.tree;

import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskUpdated;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.GlobalIndexConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.SourcingCondition;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** The changes that the owner of a tree makes to its tasks while it runs, at any node. */
public final class OwnersChanges {

  /** What an execution must know before it ends: each may let a task start, or prevent it. */
  public static final List<Class<? extends TreeTaskEvent>> TYPES =
      List.of(TreeTaskCancelled.class, TreeTaskUpdated.class, TreeTaskDeleted.class);

  private final EventStore eventStore;
  private final MessageTypeResolver eventNames;

  public OwnersChanges(EventStore eventStore, MessageTypeResolver eventNames) {
    this.eventStore = eventStore;
    this.eventNames = eventNames;
  }

  /**
   * Whether there are changes of a tree after a position. When there are none, what the handler
   * appends conflicts with each that is recorded meanwhile.
   */
  public boolean existAfter(long position, UUID treeId, ProcessingContext context) {
    EventCriteria criteria =
        EventCriteria.havingTags("tree", treeId.toString())
            .andBeingOneOfTypes(eventNames, TYPES.toArray(Class<?>[]::new));
    MessageStream<? extends EventMessage> changes =
        eventStore
            .transaction(context)
            .source(
                SourcingCondition.conditionFor(
                    new GlobalIndexConsistencyMarker(position).position(), criteria));
    boolean exist = false;
    while (changes.next().isPresent()) { // all are there, and the last brings the marker
      exist = true;
    }
    changes
        .error()
        .ifPresent(failure -> {
          throw new CompletionException(failure);
        });
    return exist;
  }
}
