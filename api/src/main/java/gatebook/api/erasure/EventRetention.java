package gatebook.api.erasure;

import gatebook.api.data.RetentionSection.DropLimits;
import gatebook.command.rules.LegalHold;
import gatebook.events.ErasureRefused;
import gatebook.events.EventsDropped;
import gatebook.events.call.Bytes;
import gatebook.events.call.ErasureCause;
import gatebook.events.journal.Append;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.drop.DropPlan;
import gatebook.events.journal.drop.DropPlanner;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.RepeatedTask;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops events for good that are older than they are kept, unless a legal hold touches their days,
 * and finishes what was begun, at the start and then every minute.
 */
public final class EventRetention implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRetention.class);

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final Optional<DropLimits> limits;
  private final Supplier<Optional<List<LegalHold>>> legalHolds;
  private final ErasureFigures figures;
  private final InstantSource clock;
  private final EventDrops drops;
  private final ErasureRecords records;
  private final OngoingFailure failure = new OngoingFailure();
  private final OngoingFailure archiveFailure = new OngoingFailure();
  private final RepeatedTask sweeps =
      new RepeatedTask("event-retention", Duration.ofMinutes(1), this::sweep);

  /**
   * @param limits empty when no event goes
   * @param planner tells what of the events stays
   * @param legalHolds those of the rules in force; empty when no rules are in force
   */
  public EventRetention(
      Journal journal,
      EventVocabulary eventVocabulary,
      Optional<DropLimits> limits,
      DropPlanner planner,
      Supplier<Optional<List<LegalHold>>> legalHolds,
      ErasureFigures figures,
      InstantSource clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.limits = limits;
    this.legalHolds = legalHolds;
    this.figures = figures;
    this.clock = clock;
    this.drops = new EventDrops(journal, planner, this::statement);
    this.records = new ErasureRecords(journal, eventVocabulary, clock);
  }

  private DraftEvent statement(OldestRange range, DropPlan plan) {
    return eventVocabulary.draft(
        new EventsDropped(
            range.from(),
            range.to(),
            range.newestAt(),
            Bytes.of(range.root()),
            Bytes.of(plan.kept().encode()),
            plan.counts()),
        clock.instant());
  }

  public void start() {
    sweeps.start();
  }

  /** Sweeps once. */
  void sweep() {
    try {
      boolean goesOn = drops.finishBegun().map(this::isDropped).orElse(true);
      while (goesOn && !sweeps.isClosed()) {
        Optional<OldestRange> due = due();
        goesOn = due.isPresent() && isDropped(drops.drop(due.get()));
      }
      removeArchived();
    } catch (RuntimeException e) {
      tell(String.valueOf(e.getMessage()), e);
    }
  }

  private boolean isDropped(EventDrops.Outcome outcome) {
    return switch (outcome) {
      case EventDrops.Outcome.NotDone(var why) -> {
        tell(why, null);
        yield false;
      }
      case EventDrops.Outcome.Later _ -> false;
      case EventDrops.Outcome.Dropped(var drop) -> {
        failure.end();
        LOG.atInfo()
            .addKeyValue("from", drop.from())
            .addKeyValue("to", drop.to())
            .addKeyValue("through", drop.newestAt())
            .addKeyValue("kept", drop.kept().size())
            .log("events of the journal were dropped for good");
        yield true;
      }
    };
  }

  private void tell(String why, @Nullable Throwable cause) {
    if (failure.isNew(why)) {
      LOG.atError()
          .setCause(cause)
          .addKeyValue("reason", why)
          .log("events that are older than they are kept cannot be dropped now");
    }
  }

  private void removeArchived() {
    Optional<String> why = drops.removeArchived();
    if (why.isEmpty()) {
      archiveFailure.end();
    } else if (archiveFailure.isNew(why.get())) {
      LOG.atError()
          .addKeyValue("reason", why.get())
          .log("events that are dropped for good are still in the archive, and are not read there");
    }
  }

  /** The oldest range, if it is older than events are kept and no legal hold touches it. */
  private Optional<OldestRange> due() {
    return limits
        .flatMap(limit -> drops.oldest().filter(it -> isDue(it, limit)))
        .filter(this::isFree);
  }

  private boolean isDue(OldestRange range, DropLimits limit) {
    return isOlder(range, limit.floor())
        && ((limit.days().isPresent() && isOlder(range, Duration.ofDays(limit.days().getAsInt())))
            || (limit.bytes().isPresent() && drops.bytes() > limit.bytes().getAsLong()));
  }

  private boolean isOlder(OldestRange range, Duration age) {
    return range.newestAt().isBefore(clock.instant().minus(age));
  }

  private boolean isFree(OldestRange range) {
    Optional<List<LegalHold>> holds = legalHolds.get();
    if (holds.isEmpty()) {
      tell("no rules are in force, so the legal holds are not known", null);
      return false;
    }
    LocalDate first = day(first(range));
    LocalDate last = day(range.newestAt());
    SortedSet<String> touching = new TreeSet<>();
    for (LegalHold hold : holds.get()) {
      if (hold.touchesAny(first, last)) {
        touching.add(hold.name());
      }
    }
    if (!touching.isEmpty()) {
      refuse(first, last, touching);
    }
    return touching.isEmpty();
  }

  private Instant first(OldestRange range) {
    List<Entry> first = journal.find(null, range.from() - 1, range.to(), 1);
    return first.isEmpty() ? range.newestAt() : Instant.parse(first.getFirst().at());
  }

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  /** Records a refusal, unless one of today names its holds already. */
  private void refuse(LocalDate first, LocalDate last, Set<String> holds) {
    Instant today = day(clock.instant()).atStartOfDay(ZoneOffset.UTC).toInstant();
    if (records.refusedHolds(ErasureCause.DROP, today).containsAll(holds)) {
      return;
    }
    ErasureRefused refused =
        new ErasureRefused(
            UUID.randomUUID(), ErasureCause.DROP, null, null, first, last, List.copyOf(holds));
    if (records.append(List.of(refused)) instanceof Append.Refused append) {
      tell(append.reason(), null);
      return;
    }
    figures.refused(ErasureCause.DROP);
    LOG.atInfo()
        .addKeyValue("holds", String.join(", ", holds))
        .log("legal holds keep events that are older than they are kept");
  }

  /** Returns when nothing is dropped any longer. */
  @Override
  public void close() {
    sweeps.closeAndWait();
  }
}
