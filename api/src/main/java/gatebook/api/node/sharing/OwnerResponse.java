package gatebook.api.node.sharing;

import gatebook.events.journal.Append;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.KeyLookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response of the owner to an {@link OwnerRequest}. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface OwnerResponse {

  record HeadPosition(long position) implements OwnerResponse {}

  record Found(List<Entry> entries) implements OwnerResponse {}

  /** The result of an append other than a conflict. */
  record Appended(Append append) implements OwnerResponse {}

  record Conflicted() implements OwnerResponse {}

  record KeyFound(KeyLookup lookup) implements OwnerResponse {}

  /** The owner cannot use its content keys now. */
  record NoKeys(String sentence) implements OwnerResponse {}

  /** The response to an operator's message; absent when the message needs none. */
  record RpcAnswer(byte @Nullable [] answer) implements OwnerResponse {}

  /** The operator may not follow the journal, or not now. */
  record FollowRefused(boolean forNow, String sentence) implements OwnerResponse {}

  /** Some of the followed events. */
  record FollowedEvents(byte[] events) implements OwnerResponse {}

  /** The followed events end: the owner shuts down. */
  record FollowEnded() implements OwnerResponse {}

  /** The request failed; the owner's log has the reason. */
  record Failed() implements OwnerResponse {}
}
