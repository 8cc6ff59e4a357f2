package gatebook.events.journal;

/** Counts the events in each transaction of the journal since this was created. */
final class Batches {
  private final JournalFigures figures;
  private final long eventsBefore;
  private final long batchesBefore;

  Batches(JournalFigures figures) {
    this.figures = figures;
    this.eventsBefore = figures.eventsStored();
    this.batchesBefore = figures.batches();
  }

  double eventsPerBatch() {
    long batches = figures.batches() - batchesBefore;
    return (figures.eventsStored() - eventsBefore) / (double) Math.max(1, batches);
  }
}
