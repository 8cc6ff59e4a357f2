package gatebook.api.operator.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.redecide.CandidateComparison;
import gatebook.api.operator.redecide.RecordedRules;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RuleActivations;
import gatebook.api.operator.whatif.CallAssembly.Assembled;
import gatebook.api.operator.whatif.WhatIfReport.Calls;
import gatebook.api.operator.whatif.WhatIfReport.Range;
import gatebook.command.gate.GateChain;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.Named;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.projection.GroupTag;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One what-if, on a thread of its own: reads the calls of a time in one pass over the journal and
 * compares each. It gives way to callers: while events are appended it rests as long as it works.
 */
public final class WhatIfRun {
  private static final Logger LOG = LoggerFactory.getLogger(WhatIfRun.class);
  private static final String RECEIVED = Named.NAMESPACE + ".CallReceived";
  private static final int PAGE = 1_000;
  private static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final RedecideContext redecideContext;
  private final RuleActivations ruleActivations;
  private final WhatIfRequest request;
  private final GatewayLimits limits;
  private final String version;
  private final Clock clock;
  private final Instant startedAt;
  private volatile WhatIfStatus status;
  private volatile boolean isCancelled;
  private long appendedUpTo;

  /** The operator cancelled it. */
  private static final class Cancelled extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** It cannot be done; the sentence says why. */
  private static final class Impossible extends Exception {
    private static final long serialVersionUID = 1L;

    Impossible(String sentence) {
      super(sentence);
    }
  }

  /** A what-if that is not started yet. */
  public WhatIfRun(
      Journal journal,
      EventVocabulary eventVocabulary,
      RedecideContext redecideContext,
      RuleActivations ruleActivations,
      WhatIfRequest request,
      GatewayLimits limits,
      String version,
      Clock clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.redecideContext = redecideContext;
    this.ruleActivations = ruleActivations;
    this.request = request;
    this.limits = limits;
    this.version = version;
    this.clock = clock;
    this.startedAt = clock.instant();
    this.status = status("running", 0, 0, 0, null, null, null);
  }

  public boolean isRunning() {
    return status.state().equals("running");
  }

  public WhatIfStatus status() {
    return status;
  }

  /** Cancels it; false when it has ended. */
  public boolean cancel() {
    isCancelled = true;
    return isRunning();
  }

  /** Runs on a thread that does not keep the process alive. */
  public void start() {
    Thread.ofPlatform().daemon().name("what-if").start(this::run);
  }

  /** Runs here; blocks until it has ended. */
  public void run() {
    try {
      WhatIfReport report = report();
      Optional<byte[]> note = journal.signNote(SignedReport.text(report), report.range().origin());
      status =
          status(
              "done",
              report.range().upTo(),
              report.range().upTo(),
              report.calls().decided(),
              report,
              note.map(it -> new String(it, UTF_8)).orElse(null),
              null);
    } catch (Cancelled _) {
      status = ended("cancelled", "cancelled by an operator");
    } catch (Impossible e) {
      status = ended("failed", String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      status = ended("failed", "this node is stopping: try again later");
    } catch (JournalUnreadable e) {
      LOG.atWarn().setCause(e).log("a what-if could not read the journal");
      status = ended("failed", "the journal cannot be read: see the log of this node");
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("a what-if failed");
      status = ended("failed", "the what-if failed: see the log of this node");
    }
  }

  private WhatIfStatus ended(String state, String error) {
    WhatIfStatus last = status;
    return status(state, last.position(), last.upTo(), last.decided(), null, null, error);
  }

  private WhatIfStatus status(
      String state,
      long position,
      long upTo,
      long decided,
      @Nullable WhatIfReport report,
      @Nullable String note,
      @Nullable String error) {
    return new WhatIfStatus(
        state,
        startedAt.toString(),
        state.equals("running") ? null : clock.instant().toString(),
        request.candidate().hash(),
        position,
        upTo,
        decided,
        report,
        note,
        error);
  }

  private WhatIfReport report() throws Impossible, Cancelled, InterruptedException {
    Checkpoint checkpoint = checkpoint();
    long after = request.since().map(journal::positionBefore).orElse(0L);
    long upTo =
        Math.min(
            checkpoint.size(),
            request.until().map(journal::positionBefore).orElse(checkpoint.size()));
    Range range = range(checkpoint, after, upTo);
    Optional<CallSample> sample = Optional.empty();
    long recorded = 0;
    if (request.sample().isPresent()) {
      CallSample taken = new CallSample(request.sample().get());
      recorded = scan(after, upTo, taken);
      sample = Optional.of(taken);
    }
    WhatIfTally tally = new WhatIfTally(limits.getInt(Limit.WHATIF_GROUPS_MAX));
    compare(after, upTo, checkpoint.size(), sample, tally);
    return new WhatIfReport(
        WhatIfReport.FORMAT,
        clock.instant().toString(),
        request.candidate().hash(),
        tally.rulesThen(),
        version,
        Runtime.version().toString(),
        CedarPolicies.ENGINE,
        GateChain.LOGIC_VERSION,
        range,
        new Calls(
            sample.isPresent() ? recorded : tally.decided(),
            tally.decided(),
            tally.replayed(),
            request.sample().map(Integer::longValue).orElse(null)),
        tally.changes(),
        tally.notReplayable(),
        tally.selfCheck(),
        tally.groups(),
        tally.leftOut());
  }

  /** A checkpoint over all events of now, so that the report says what it read. */
  private Checkpoint checkpoint() throws Impossible {
    if (!journal.state().isReadOnly() && journal.sign().join() instanceof Append.Refused refused) {
      throw new Impossible("the journal cannot be signed now: " + refused.reason());
    }
    StoredCheckpoint newest =
        journal
            .newestCheckpoint()
            .orElseThrow(() -> new Impossible("the journal has no checkpoint yet: try again"));
    if (journal.keyHistory().open(newest.note().getBytes(UTF_8))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _)) {
      return checkpoint;
    }
    throw new Impossible("the newest checkpoint is not as it was signed: verify the journal");
  }

  private Range range(Checkpoint checkpoint, long after, long upTo) {
    Long dropped =
        journal
            .droppedThrough()
            .map(DroppedThrough::position)
            .filter(it -> it > after)
            .orElse(null);
    return new Range(
        request.since().map(Instant::toString).orElse(null),
        request.until().map(Instant::toString).orElse(null),
        checkpoint.origin(),
        checkpoint.size(),
        Base64.getEncoder().encodeToString(checkpoint.root()),
        after,
        upTo,
        dropped);
  }

  private long scan(long after, long upTo, CallSample sample)
      throws Cancelled, InterruptedException {
    long[] recorded = {0};
    pages(
        after,
        upTo,
        page -> {
          for (Entry entry : page) {
            if (entry.name().equals(RECEIVED) && entry.position() <= upTo) {
              recorded[0]++;
              GroupTag.CALL.of(entry).ifPresent(sample::add);
            }
          }
          return true;
        });
    return recorded[0];
  }

  /** Takes a page of entries and returns whether it needs the next one. */
  @FunctionalInterface
  private interface PageReader {
    boolean read(List<Entry> page) throws InterruptedException;
  }

  private void compare(
      long after, long upTo, long end, Optional<CallSample> sample, WhatIfTally tally)
      throws Cancelled, InterruptedException {
    Predicate<UUID> isSelected = callId -> sample.isEmpty() || sample.get().has(callId);
    CallAssembly assembly =
        new CallAssembly(eventVocabulary, isSelected, limits.getInt(Limit.WHATIF_OPEN_CALLS_MAX));
    CandidateComparison comparison =
        new CandidateComparison(
            redecideContext, new RecordedRules(ruleActivations), request.candidate());
    pages(
        after,
        end,
        page -> {
          List<Assembled> complete = new ArrayList<>();
          for (Entry entry : page) {
            if (entry.position() <= end) {
              assembly.add(entry, entry.position() <= upTo, complete);
            }
          }
          for (Assembled call : complete) {
            compare(call, comparison, tally);
          }
          long position = Math.min(page.getLast().position(), end);
          status = status("running", position, end, tally.decided(), null, null, null);
          return position < upTo || !assembly.isEmpty();
        });
    for (Assembled call : assembly.rest()) {
      compare(call, comparison, tally);
    }
  }

  private static void compare(Assembled call, CandidateComparison comparison, WhatIfTally tally)
      throws InterruptedException {
    if (call.call().received() == null) {
      tally.addUnreadable(call, "unreadable", "this version cannot read the call's first event");
    } else if (!call.isWhole()) {
      tally.addUnreadable(
          call, "open-calls", "too many calls were open at once: see limits.whatif_open_calls_max");
    } else {
      tally.add(call, comparison.compare(call.call(), call.position(), call.contentState()));
    }
  }

  private void pages(long after, long end, PageReader reader)
      throws Cancelled, InterruptedException {
    long position = after;
    boolean isNeeded = position < end;
    while (isNeeded) {
      if (isCancelled) {
        throw new Cancelled();
      }
      long began = System.nanoTime();
      List<Entry> page = journal.read(position, PAGE);
      if (page.isEmpty()) {
        return;
      }
      position = page.getLast().position();
      isNeeded = reader.read(page) && position < end;
      giveWay(System.nanoTime() - began);
    }
  }

  /** Callers' work is appended to the journal. */
  private void giveWay(long workedNanos) throws InterruptedException {
    long head = journal.head();
    boolean isBusy = appendedUpTo != 0 && head > appendedUpTo;
    appendedUpTo = head;
    if (isBusy) {
      TimeUnit.NANOSECONDS.sleep(Math.min(workedNanos, REST_NANOS_MAX));
    }
  }
}
