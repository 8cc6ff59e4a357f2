package gatebook.api.node.sharing;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.storage.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * The journal shared by the processes of one data directory, accessed through its owner. While a
 * process takes over there is no owner: reads throw, and appends are refused.
 */
public final class SharedJournal implements JournalAccess {

  static final String NO_OWNER = "no process owns the journal now: one is taking it over";

  private volatile @Nullable JournalAccess current;

  /** Uses this journal from now on; null while there is no owner. */
  public void switchTo(@Nullable JournalAccess journalAccess) {
    current = journalAccess;
  }

  @Override
  public long head() {
    return reachable().head();
  }

  @Override
  public CompletableFuture<Append> append(
      ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    JournalAccess journalAccess = current;
    return journalAccess == null
        ? CompletableFuture.completedFuture(new Append.Unavailable(NO_OWNER))
        : journalAccess.append(conflictCondition, drafts);
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    return reachable().find(criteria, after, upTo, limit);
  }

  private JournalAccess reachable() {
    JournalAccess journalAccess = current;
    if (journalAccess == null) {
      throw new JournalUnreachable(NO_OWNER);
    }
    return journalAccess;
  }
}
