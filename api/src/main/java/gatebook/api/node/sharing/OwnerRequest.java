package gatebook.api.node.sharing;

import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import java.util.List;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** What a member wants of the owner. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface OwnerRequest {

  record Head() implements OwnerRequest {}

  record Find(@Nullable EventCriteria criteria, long after, long upTo, int limit)
      implements OwnerRequest {}

  record Write(ConflictCondition condition, List<DraftEvent> drafts) implements OwnerRequest {}

  /** A message to the operators' desk, by whoever shows this token. */
  record Question(String token, byte[] message) implements OwnerRequest {}

  /**
   * Events as they are recorded, until this member goes.
   *
   * @param query says which, as at the operators' door
   * @param lastSeen the position of the last event that was seen; absent when none was
   */
  record Follow(String token, String query, @Nullable Long lastSeen) implements OwnerRequest {}
}
