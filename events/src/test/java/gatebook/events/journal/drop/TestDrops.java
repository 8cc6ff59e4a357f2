package gatebook.events.journal.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.EventsDropped;
import gatebook.events.call.Bytes;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.List;

/** Drops events of the journals of tests. */
public final class TestDrops {
  private static final EventVocabulary VOCABULARY = new EventVocabulary();
  private static final int EVENTS_MAX = 1_000_000;

  private TestDrops() {}

  public static EventDrops of(Journal journal, DropPlanner planner) {
    return new EventDrops(journal, planner, TestDrops::statement);
  }

  /** Drops that keep each tenth event, and what the journal says of itself. */
  public static EventDrops keepingEachTenth(Journal journal) {
    return of(
        journal,
        (from, to, access) ->
            new DropPlan(
                PositionSet.of(
                    access.find(null, from - 1, to, EVENTS_MAX).stream()
                        .filter(TestDrops::isKept)
                        .map(Entry::position)
                        .toList()),
                List.of()));
  }

  private static boolean isKept(Entry entry) {
    return entry.position() % 10 == 0
        || entry.name().equals(RecordedDrop.EVENT_NAME)
        || TrustEvents.NAMES.contains(entry.name());
  }

  public static DraftEvent statement(OldestRange range, DropPlan plan) {
    return VOCABULARY.draft(
        new EventsDropped(
            range.from(),
            range.to(),
            range.newestAt(),
            Bytes.of(range.root()),
            Bytes.of(plan.kept().encode()),
            plan.counts()),
        Instant.now());
  }

  /** Drops the oldest range, when it can be dropped. */
  public static RecordedDrop dropOldest(EventDrops drops) {
    await().until(() -> drops.oldest().isPresent());
    EventDrops.Outcome outcome = drops.drop(drops.oldest().orElseThrow());
    assertThat(outcome).isInstanceOf(EventDrops.Outcome.Dropped.class);
    return ((EventDrops.Outcome.Dropped) outcome).drop();
  }
}
