package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Access to a journal for making decisions, in this process or in another. Appending never blocks
 * and never throws for what happens outside this process; reading may block, and throws {@link
 * JournalUnreachable} when the journal is in another process and that does not respond.
 */
public interface JournalAccess {

  /** The position of the newest event that readers see; 0 when there is none. */
  long head();

  /** Stores the events, all or none, unless they conflict with the condition. */
  CompletableFuture<Append> append(ConflictCondition conflictCondition, List<DraftEvent> drafts);

  /**
   * At most {@code limit} events with {@code after < position <= upTo}, in order. They include
   * every match in their range; others may be among them.
   */
  List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit);

  /**
   * The position before the first event at or after a time; the head when there is none. Times are
   * nearly in the order of positions.
   */
  default long positionBefore(Instant at) {
    String time = DraftEvent.formatTime(at);
    long before = 0;
    long notBefore = head() + 1;
    while (notBefore - before > 1) {
      long middle = before + (notBefore - before) / 2;
      List<Entry> found = find(null, middle - 1, middle, 1);
      if (found.isEmpty() || found.getFirst().at().compareTo(time) < 0) { // dropped events are old
        before = middle;
      } else {
        notBefore = middle;
      }
    }
    return before;
  }

  /** All that {@link #find} gives of a range, read page by page when it is needed. */
  default Stream<Entry> stream(
      @Nullable EventCriteria criteria, long after, long upTo, int pageEvents) {
    return Stream.iterate(
            find(criteria, after, upTo, pageEvents),
            page -> !page.isEmpty(),
            page -> find(criteria, page.getLast().position(), upTo, pageEvents))
        .flatMap(List::stream);
  }
}
