package gatebook.events.journal.drop;

import gatebook.events.journal.JournalAccess;

/** Decides what of a range of events stays when the others are dropped for good. */
@FunctionalInterface
public interface DropPlanner {

  /**
   * A plan for the events from one position to another, the oldest ones of which nothing is dropped
   * yet. It may read any event, and appends none.
   */
  DropPlan plan(long from, long to, JournalAccess journal);
}
