package gatebook.api.erasure;

import gatebook.command.call.approval.DecideApproval;
import gatebook.command.rules.LegalHold;
import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.ErasureRefused;
import gatebook.events.call.ErasureCause;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.ViewFailed;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases content: an event says that its keys go, the held calls that need it end, and then the
 * keys are destroyed. What began is finished, also by the next process.
 */
public final class ContentErasure {
  private static final Logger LOG = LoggerFactory.getLogger(ContentErasure.class);

  /** How many ids of keys one event has. */
  static final int KEYS_PER_EVENT = 10_000;

  private static final String RULES_UNKNOWN =
      "no rules are in force, so the legal holds are not known: see gatebook rules check";

  private final Journal journal;
  private final ContentKeyStore keys;
  private final CallEvents callEvents;
  private final HeldCallEnding heldCalls;
  private final Supplier<Optional<List<LegalHold>>> legalHolds;
  private final ErasureRecords records;
  private final InstantSource clock;
  private final ErasureFigures figures;

  /** One erasure after the other, so that the store has applied all up to a position. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param approvals decides approvals
   * @param legalHolds those of the rules in force; empty when no rules are in force
   */
  public ContentErasure(
      Journal journal,
      ContentKeyStore keys,
      EventVocabulary eventVocabulary,
      Views views,
      Function<DecideApproval, CompletableFuture<DecideApproval.Outcome>> approvals,
      Supplier<Optional<List<LegalHold>>> legalHolds,
      ErasureFigures figures,
      InstantSource clock) {
    this.journal = journal;
    this.keys = keys;
    this.callEvents = new CallEvents(journal, eventVocabulary);
    this.heldCalls = new HeldCallEnding(journal, views, callEvents, approvals, clock);
    this.legalHolds = legalHolds;
    this.figures = figures;
    this.records = new ErasureRecords(journal, eventVocabulary, clock);
    this.clock = clock;
  }

  /** The day in UTC. */
  public LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  /** The keys of a selection. */
  List<StoredKey> keys(KeySelection selection) {
    return keys.list(selection);
  }

  /**
   * The names of the legal holds that touch one of these keys; empty when no rules are in force.
   */
  Optional<List<String>> holds(List<StoredKey> selected) {
    return legalHolds.get().map(it -> List.copyOf(check(it).touching(selected)));
  }

  private HoldCheck check(List<LegalHold> holds) {
    return new HoldCheck(holds, callEvents);
  }

  /**
   * Erases the content of one principal. May block.
   *
   * @param since the first day; absent for all
   * @param until the last day; absent for today
   */
  public ErasureResult forget(
      String operator,
      String principal,
      @Nullable LocalDate since,
      @Nullable LocalDate until,
      String reason)
      throws InterruptedException {
    lock.lock();
    try {
      LocalDate last = until == null ? today() : until;
      List<StoredKey> selected = keys.list(new KeySelection(principal, since, last));
      Optional<List<String>> holds = holds(selected);
      if (holds.isEmpty()) {
        return new ErasureResult.NotDone(RULES_UNKNOWN);
      }
      UUID erasureId = UUID.randomUUID();
      if (!holds.get().isEmpty()) {
        return refuse(
            new ErasureRefused(
                erasureId, ErasureCause.FORGET, operator, principal, since, last, holds.get()));
      }
      if (selected.isEmpty()) {
        return new ErasureResult.NothingToErase();
      }
      return begin(
          new ErasureBegun(
              erasureId,
              ErasureCause.FORGET,
              operator,
              principal,
              since,
              last,
              ids(selected),
              reason),
          ids(selected));
    } finally {
      lock.unlock();
    }
  }

  /** Erases the content of days up to one, but for what legal holds touch. May block. */
  ErasureResult expire(LocalDate until) throws InterruptedException {
    lock.lock();
    try {
      List<StoredKey> old = keys.list(KeySelection.upTo(until));
      if (old.isEmpty()) {
        return new ErasureResult.NothingToErase();
      }
      Optional<List<LegalHold>> holds = legalHolds.get();
      if (holds.isEmpty()) {
        return new ErasureResult.NotDone(RULES_UNKNOWN);
      }
      HoldCheck check = check(holds.get());
      List<StoredKey> free = old.stream().filter(key -> !check.isHeld(key)).toList();
      if (free.size() < old.size()) {
        ErasureResult refused = refuseExpiry(until, check.touching(old));
        if (free.isEmpty() || refused instanceof ErasureResult.NotDone) {
          return refused;
        }
      }
      List<String> named = free.size() == old.size() ? List.of() : ids(free);
      return begin(
          new ErasureBegun(
              UUID.randomUUID(), ErasureCause.RETENTION, null, null, null, until, named, null),
          ids(free));
    } finally {
      lock.unlock();
    }
  }

  /** Records a refusal, unless one of today names its holds already. */
  private ErasureResult refuseExpiry(LocalDate until, SequencedSet<String> holds) {
    UUID erasureId = UUID.randomUUID();
    Instant today = today().atStartOfDay(ZoneOffset.UTC).toInstant();
    return records.refusedHolds(ErasureCause.RETENTION, today).containsAll(holds)
        ? new ErasureResult.Held(erasureId, List.copyOf(holds))
        : refuse(
            new ErasureRefused(
                erasureId, ErasureCause.RETENTION, null, null, null, until, List.copyOf(holds)));
  }

  private ErasureResult refuse(ErasureRefused refused) {
    if (records.append(List.of(refused)) instanceof Append.Refused append) {
      return new ErasureResult.NotDone(append.reason());
    }
    figures.refused(refused.cause());
    return new ErasureResult.Held(refused.erasureId(), refused.holds());
  }

  private static List<String> ids(List<StoredKey> selected) {
    return selected.stream().map(StoredKey::id).toList();
  }

  /**
   * @param ids of the keys that go, also where the event does not name them
   */
  private ErasureResult begin(ErasureBegun begun, List<String> ids) throws InterruptedException {
    return switch (records.append(parts(begun))) {
      case Append.Stored stored ->
          finish(new RecordedErasure(begun, stored.last(), clock.instant(), ids, false));
      case Append.Refused refused -> new ErasureResult.NotDone(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }

  /** The events of an erasure, each with as many ids as fit. */
  private static List<ErasureBegun> parts(ErasureBegun begun) {
    List<ErasureBegun> parts = new ArrayList<>();
    List<String> ids = begun.keys();
    int from = 0;
    do {
      int to = Math.min(ids.size(), from + KEYS_PER_EVENT);
      parts.add(
          new ErasureBegun(
              begun.erasureId(),
              begun.cause(),
              begun.operator(),
              begun.principal(),
              begun.since(),
              begun.until(),
              ids.subList(from, to),
              begun.reason()));
      from = to;
    } while (from < ids.size());
    return parts;
  }

  /** Finishes the erasures that began and are not completed. */
  void finishBegun() throws InterruptedException {
    lock.lock();
    try {
      for (RecordedErasure erasure : records.all()) {
        if (!erasure.completed()) {
          finish(erasure);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private ErasureResult finish(RecordedErasure erasure) throws InterruptedException {
    UUID erasureId = erasure.begun().erasureId();
    try {
      long ended = heldCalls.end(erasure);
      List<String> ids = ErasedAgain.ids(erasure, keys.list(erasure.selection()));
      keys.erase(ids, erasure.position());
      journal.dropContent();
      ended += heldCalls.end(erasure);
      Append append = records.append(List.of(new ErasureCompleted(erasureId, ids.size(), ended)));
      if (append instanceof Append.Refused refused) {
        return unfinished(erasureId, refused.reason(), null);
      }
      journal.dropContent(); // of events that were written meanwhile
      figures.completed(erasure.begun().cause());
      return new ErasureResult.Completed(erasureId, ids.size(), ended);
    } catch (KeysUnavailable | JournalUnreadable | ViewFailed | CompletionException e) {
      return unfinished(erasureId, String.valueOf(e.getMessage()), e);
    }
  }

  private static ErasureResult unfinished(
      UUID erasureId, String reason, @Nullable Throwable cause) {
    LOG.atError()
        .addKeyValue("erasure_id", erasureId)
        .addKeyValue("reason", reason)
        .setCause(cause)
        .log(
            "an erasure began and is not completed: it is tried again, at the latest at the start");
    return new ErasureResult.Unfinished(erasureId, reason);
  }
}
