package gatebook.events.journal;

import gatebook.events.journal.storage.JournalSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The journal without Axon. */
public final class DirectSubject implements AppendSubject {
  private final Journal journal;
  private final DeniedDrafts drafts = new DeniedDrafts();

  public DirectSubject(JournalSettings settings) {
    this.journal = Journals.opened(settings);
  }

  @Override
  public AppendSample measure(int callers, double eventsPerBatch, long millis) {
    Batches batches = new Batches(journal.figures());
    return AppendLoad.run(callers, millis, this::append)
        .withEventsPerBatch(batches.eventsPerBatch());
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
