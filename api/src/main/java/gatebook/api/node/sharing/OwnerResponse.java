package gatebook.api.node.sharing;

import gatebook.events.journal.Append;
import gatebook.events.journal.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the owner says to that. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface OwnerResponse {

  record HeadIs(long position) implements OwnerResponse {}

  record Found(List<Entry> entries) implements OwnerResponse {}

  /** Never a conflict. */
  record Wrote(Append append) implements OwnerResponse {}

  record Contradicted() implements OwnerResponse {}

  /** The desk's answer; absent where none is wanted. */
  record Said(byte @Nullable [] answer) implements OwnerResponse {}

  /** Nobody follows. */
  record TurnedAway(boolean forNow, String sentence) implements OwnerResponse {}

  /** Some of what is followed. */
  record Heard(byte[] events) implements OwnerResponse {}

  /** There is nothing more to follow: the owner ends. */
  record Over() implements OwnerResponse {}

  /** The owner could not; the reason is in its log. */
  record Failed() implements OwnerResponse {}
}
