package gatebook.api.node.sharing;

import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.ContentOwner;
import java.util.List;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** A request of a member to the owner. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface OwnerRequest {

  record Head() implements OwnerRequest {}

  record Find(@Nullable EventCriteria criteria, long after, long upTo, int limit)
      implements OwnerRequest {}

  record Write(ConflictCondition condition, List<DraftEvent> drafts) implements OwnerRequest {}

  /** Requests the key that seals new content of an owner. */
  record CurrentKey(ContentOwner owner) implements OwnerRequest {}

  record FindKey(String id) implements OwnerRequest {}

  /** A JSON-RPC message of an operator with this token. */
  record OperatorCall(String token, byte[] message) implements OwnerRequest {}

  /**
   * Requests events as they are recorded, until the member disconnects.
   *
   * @param query selects events, as in {@code GET /operator/tail}
   * @param lastSeen the position of the last event received; absent when there was none
   */
  record Follow(String token, String query, @Nullable Long lastSeen) implements OwnerRequest {}
}
