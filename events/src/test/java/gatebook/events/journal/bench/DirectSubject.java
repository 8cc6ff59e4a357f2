package gatebook.events.journal.bench;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.Journals;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The journal without Axon. */
final class DirectSubject implements Subject {
  private final Journal journal;
  private final Drafts drafts = new Drafts();

  DirectSubject(JournalSettings settings) {
    this.journal = Journals.opened(settings);
  }

  @Override
  public Sample measure(int callers, double eventsPerBatch, long millis) {
    Batches batches = new Batches(journal.figures());
    return Load.run(callers, millis, this::append).withEventsPerBatch(batches.eventsPerBatch());
  }

  private CompletableFuture<Append> append() {
    DraftEvent draftEvent = drafts.denied(DeniedCall.newCallId());
    return journal
        .append(ConflictCondition.none(), List.of(draftEvent))
        .thenApply(DirectSubject::stored);
  }

  private static Append stored(Append append) {
    if (append instanceof Append.Stored) {
      return append;
    }
    throw new IllegalStateException("not stored: " + append);
  }

  @Override
  public void close() {
    journal.close();
  }
}
