package gatebook.events.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * What deciding needs of a journal, wherever that is kept. Appending never blocks and never throws
 * for what happens outside this process; reading may block, and throws {@link JournalUnreachable}
 * where the journal is another process's and that does not answer.
 */
public interface JournalAccess {

  /** The position of the newest event that readers see; 0 when there is none. */
  long head();

  /** Stores the events, all or none, unless the condition is contradicted. */
  CompletableFuture<Append> append(ConflictCondition conflictCondition, List<DraftEvent> drafts);

  /**
   * At most {@code limit} events with {@code after < position <= upTo} among which are all that
   * match, in order.
   */
  List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit);
}
