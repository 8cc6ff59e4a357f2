package gatebook.api.owner;

import gatebook.events.journal.Condition;
import gatebook.events.journal.Draft;
import java.util.List;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** What a member wants of the owner. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface Asked {

  record Head() implements Asked {}

  record Find(@Nullable EventCriteria criteria, long after, long upTo, int limit)
      implements Asked {}

  record Write(Condition condition, List<Draft> drafts) implements Asked {}

  /** A message to the operators' desk, by whoever shows this token. */
  record Question(String token, byte[] message) implements Asked {}

  /**
   * Events as they are recorded, until this member goes.
   *
   * @param query says which, as at the operators' door
   * @param lastSeen the position of the last event that was seen; absent when none was
   */
  record Follow(String token, String query, @Nullable Long lastSeen) implements Asked {}
}
