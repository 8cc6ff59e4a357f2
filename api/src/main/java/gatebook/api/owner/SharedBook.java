package gatebook.api.owner;

import gatebook.events.journal.Append;
import gatebook.events.journal.Book;
import gatebook.events.journal.BookOutOfReach;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Draft;
import gatebook.events.journal.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** The journal of a data directory, whichever process keeps it; now and then nobody does. */
public final class SharedBook implements Book {

  private static final String NOBODY = "no process keeps the journal now: one is taking it over";

  private volatile @Nullable Book kept;

  /** From now on it is kept there; null when nobody knows where. */
  public void keptBy(@Nullable Book book) {
    kept = book;
  }

  @Override
  public long head() {
    return reachable().head();
  }

  @Override
  public CompletableFuture<Append> append(Condition condition, List<Draft> drafts) {
    Book book = kept;
    return book == null
        ? CompletableFuture.completedFuture(new Append.Unavailable(NOBODY))
        : book.append(condition, drafts);
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    return reachable().find(criteria, after, upTo, limit);
  }

  private Book reachable() {
    Book book = kept;
    if (book == null) {
      throw new BookOutOfReach(NOBODY);
    }
    return book;
  }
}
