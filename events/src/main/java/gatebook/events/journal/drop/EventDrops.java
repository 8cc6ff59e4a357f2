package gatebook.events.journal.drop;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * Drops the oldest events of a journal for good, a range at a time: an event says so, a checkpoint
 * covers the event, in the journal and in the file beside it, if that is of this process alone, and
 * only then the events go. What an event has begun is finished from the event alone, also after the
 * process was killed.
 *
 * <p>One thread uses it.
 */
public final class EventDrops {
  private static final int EVENTS_MAX = 100;

  private final Journal journal;
  private final DropPlanner planner;
  private final Statement statement;

  /** Makes the event that says what is dropped. */
  @FunctionalInterface
  public interface Statement {
    DraftEvent of(OldestRange range, DropPlan plan);
  }

  /** The result of dropping a range. */
  public sealed interface Outcome {
    record Dropped(RecordedDrop drop) implements Outcome {}

    /** Another process drops or moves events, or has begun to drop these. */
    record Later() implements Outcome {}

    /** Nothing is dropped, or it is not finished; the sentence says why. */
    record NotDone(String why) implements Outcome {}
  }

  public EventDrops(Journal journal, DropPlanner planner, Statement statement) {
    this.journal = journal;
    this.planner = planner;
    this.statement = statement;
  }

  /** The oldest range that can be dropped; empty when there is none. */
  public Optional<OldestRange> oldest() {
    try {
      Optional<DroppableEvents> droppable = droppable();
      return droppable.isEmpty() ? Optional.empty() : droppable.get().oldest();
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  /** How many bytes the files of the journal take, those in the archive included. */
  public long bytes() {
    try {
      Optional<DroppableEvents> droppable = droppable();
      return droppable.isEmpty() ? 0 : droppable.get().bytes();
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  /** Only what is appended to can be covered. */
  private Optional<DroppableEvents> droppable() {
    return journal.state() instanceof JournalState.Writable
        ? journal.droppable()
        : Optional.empty();
  }

  /** Finishes what an event has begun; empty when none has. */
  public Optional<Outcome> finishBegun() {
    try {
      Optional<DroppableEvents> droppable = droppable();
      OptionalLong from =
          droppable.isEmpty() ? OptionalLong.empty() : droppable.get().oldestPosition();
      return from.isEmpty() ? Optional.empty() : recorded(from.getAsLong()).map(this::finish);
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  /** The event that drops a range from a position on. */
  private Optional<RecordedDrop> recorded(long from) {
    return journal
        .find(EventCriteria.havingTags(RecordedDrop.tag(from)), 0, journal.head(), EVENTS_MAX)
        .stream()
        .flatMap(entry -> RecordedDrop.of(entry).stream())
        .filter(drop -> drop.from() == from)
        .findFirst();
  }

  /** Drops a range, of which no event says so yet. Of several nodes one records that. */
  public Outcome drop(OldestRange range) {
    DropPlan plan = planner.plan(range.from(), range.to(), journal);
    Append append =
        journal
            .append(
                ConflictCondition.nothingAfter(
                    0, EventCriteria.havingTags(RecordedDrop.tag(range.from()))),
                List.of(statement.of(range, plan)))
            .join();
    return switch (append) {
      case Append.Refused refused -> new Outcome.NotDone(refused.reason());
      case Append.Conflict _ -> new Outcome.Later();
      case Append.Stored _ ->
          recorded(range.from())
              .map(this::finish)
              .orElseGet(() -> new Outcome.NotDone("the event that drops is not as it was made"));
    };
  }

  private Outcome finish(RecordedDrop drop) {
    if (!journal.isCovered(drop.position())
        && journal.sign().join() instanceof Append.Refused refused) {
      return new Outcome.NotDone(refused.reason());
    }
    if (!journal.isCovered(drop.position())) {
      return new Outcome.NotDone("no checkpoint covers the event that drops");
    }
    Optional<DroppableEvents> droppable = droppable();
    if (droppable.isEmpty()) {
      return new Outcome.NotDone("nothing is appended to the journal");
    }
    try {
      if (!droppable
          .get()
          .drop(
              new OldestRange(drop.from(), drop.to(), drop.newestAt(), drop.root()),
              drop.kept()::contains,
              drop.kept().size())) {
        return new Outcome.Later();
      }
      journal.removeFromMemory(drop.to());
      return new Outcome.Dropped(drop);
    } catch (StorageFailure e) {
      return new Outcome.NotDone(StorageFailure.describe(e));
    }
  }

  /**
   * Removes from the archive what is dropped.
   *
   * @return why it is still there; empty when nothing is
   */
  public Optional<String> removeArchived() {
    try {
      Optional<DroppableEvents> droppable = droppable();
      if (droppable.isPresent()) {
        droppable.get().removeArchived();
      }
      return Optional.empty();
    } catch (StorageFailure e) {
      return Optional.of(StorageFailure.describe(e));
    }
  }
}
