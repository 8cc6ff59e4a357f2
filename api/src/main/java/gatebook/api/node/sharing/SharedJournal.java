package gatebook.api.node.sharing;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** The journal of a data directory, whichever process keeps it; now and then nobody does. */
public final class SharedJournal implements JournalAccess {

  private static final String NOBODY = "no process keeps the journal now: one is taking it over";

  private volatile @Nullable JournalAccess kept;

  /** From now on it is kept there; null when nobody knows where. */
  public void keptBy(@Nullable JournalAccess journalAccess) {
    kept = journalAccess;
  }

  @Override
  public long head() {
    return reachable().head();
  }

  @Override
  public CompletableFuture<Append> append(
      ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    JournalAccess journalAccess = kept;
    return journalAccess == null
        ? CompletableFuture.completedFuture(new Append.Unavailable(NOBODY))
        : journalAccess.append(conflictCondition, drafts);
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    return reachable().find(criteria, after, upTo, limit);
  }

  private JournalAccess reachable() {
    JournalAccess journalAccess = kept;
    if (journalAccess == null) {
      throw new JournalUnreachable(NOBODY);
    }
    return journalAccess;
  }
}
