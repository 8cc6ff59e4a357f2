package gatebook.api.owner;

import gatebook.events.journal.Append;
import gatebook.events.journal.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the owner says to that. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface Told {

  record HeadIs(long position) implements Told {}

  record Found(List<Entry> entries) implements Told {}

  /** Never a conflict. */
  record Wrote(Append append) implements Told {}

  record Contradicted() implements Told {}

  /** The desk's answer; absent where none is wanted. */
  record Said(byte @Nullable [] answer) implements Told {}

  /** Nobody follows. */
  record TurnedAway(boolean forNow, String sentence) implements Told {}

  /** Some of what is followed. */
  record Heard(byte[] events) implements Told {}

  /** There is nothing more to follow: the owner ends. */
  record Over() implements Told {}

  /** The owner could not; the reason is in its log. */
  record Failed() implements Told {}
}
