package gatebook.api.operator.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.redecide.CandidateComparison;
import gatebook.api.operator.redecide.CandidateComparison.Check;
import gatebook.api.operator.redecide.CandidateComparison.Comparison;
import gatebook.api.operator.redecide.RecordedRules;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RuleActivations;
import gatebook.api.operator.whatif.CallAssembly.Assembled;
import gatebook.api.operator.whatif.CallAssembly.OpenedCall;
import gatebook.api.operator.whatif.WhatIfReport.Calls;
import gatebook.api.operator.whatif.WhatIfReport.Range;
import gatebook.command.gate.GateChain;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.CallReceived;
import gatebook.events.Named;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
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
 * compares each, on some threads; on its own alone while calls arrive.
 */
public final class WhatIfRun {
  private static final Logger LOG = LoggerFactory.getLogger(WhatIfRun.class);
  private static final String RECEIVED = Named.NAMESPACE + ".CallReceived";

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final RedecideContext redecideContext;
  private final RuleActivations ruleActivations;
  private final WhatIfRequest request;
  private final GatewayLimits limits;
  private final String version;
  private final Clock clock;
  private final JournalPass.Rest rest;
  private final Instant startedAt;
  private volatile WhatIfStatus status;
  private volatile boolean isCancelled;

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
    this(
        journal,
        eventVocabulary,
        redecideContext,
        ruleActivations,
        request,
        limits,
        version,
        clock,
        TimeUnit.NANOSECONDS::sleep);
  }

  WhatIfRun(
      Journal journal,
      EventVocabulary eventVocabulary,
      RedecideContext redecideContext,
      RuleActivations ruleActivations,
      WhatIfRequest request,
      GatewayLimits limits,
      String version,
      Clock clock,
      JournalPass.Rest rest) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.redecideContext = redecideContext;
    this.ruleActivations = ruleActivations;
    this.request = request;
    this.limits = limits;
    this.version = version;
    this.clock = clock;
    this.rest = rest;
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
    } catch (NoReport why) {
      status = ended(why);
    } catch (InterruptedException _) {
      status = ended(NoReport.nodeStops());
    } catch (RuntimeException | Error e) {
      status = ended(failed(e));
    }
  }

  private NoReport failed(Throwable failure) {
    if (journal.state() instanceof JournalState.Closed) {
      return NoReport.nodeStops();
    }
    if (failure instanceof JournalUnreadable) {
      LOG.atWarn().setCause(failure).log("a what-if could not read the journal");
      return NoReport.failed("the journal cannot be read: see the log of this node");
    }
    LOG.atError().setCause(failure).log("a what-if failed");
    return NoReport.failed("the what-if failed: see the log of this node");
  }

  private WhatIfStatus ended(NoReport why) {
    WhatIfStatus last = status;
    return status(
        why.state(),
        last.position(),
        last.upTo(),
        last.decided(),
        null,
        null,
        String.valueOf(why.getMessage()));
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

  private WhatIfReport report() throws NoReport, InterruptedException {
    Checkpoint checkpoint = checkpoint();
    long after = request.since().map(journal::positionBefore).orElse(0L);
    long upTo =
        Math.min(
            checkpoint.size(),
            request.until().map(journal::positionBefore).orElse(checkpoint.size()));
    Range range = range(checkpoint, after, upTo);
    JournalPass pass = new JournalPass(journal, () -> isCancelled, rest);
    Optional<CallSample> sample = Optional.empty();
    long recorded = 0;
    if (request.sample().isPresent()) {
      CallSample taken = new CallSample(request.sample().get());
      recorded = scan(pass, after, upTo, taken);
      sample = Optional.of(taken);
    }
    WhatIfTally tally = new WhatIfTally(limits.getInt(Limit.WHATIF_GROUPS_MAX));
    compare(pass, range, sample, tally);
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
  private Checkpoint checkpoint() throws NoReport {
    if (!journal.state().isReadOnly() && journal.sign().join() instanceof Append.Refused refused) {
      throw NoReport.failed("the journal cannot be signed now: " + refused.reason());
    }
    StoredCheckpoint newest =
        journal
            .newestCheckpoint()
            .orElseThrow(() -> NoReport.failed("the journal has no checkpoint yet: try again"));
    if (journal.keyHistory().open(newest.note().getBytes(UTF_8))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _)) {
      return checkpoint;
    }
    throw NoReport.failed("the newest checkpoint is not as it was signed: verify the journal");
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

  private static long scan(JournalPass pass, long after, long upTo, CallSample sample)
      throws NoReport, InterruptedException {
    long[] recorded = {0};
    pass.read(
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

  private void compare(
      JournalPass pass, Range range, Optional<CallSample> sample, WhatIfTally tally)
      throws NoReport, InterruptedException {
    Predicate<UUID> isSelected = callId -> sample.isEmpty() || sample.get().has(callId);
    CallAssembly assembly =
        new CallAssembly(eventVocabulary, isSelected, limits.getInt(Limit.WHATIF_OPEN_CALLS_MAX));
    CandidateComparison comparison =
        new CandidateComparison(
            redecideContext, new RecordedRules(ruleActivations), request.candidate());
    long end = range.size();
    try (ComparisonThreads threads =
        new ComparisonThreads(threads(), call -> compared(call, comparison), tally::add)) {
      pass.read(
          range.after(),
          end,
          page -> {
            List<Assembled> complete = new ArrayList<>();
            for (Entry entry : page) {
              if (entry.position() <= end) {
                assembly.add(entry, entry.position() <= range.upTo(), complete);
              }
            }
            if (pass.areCallsArriving()) {
              threads.compareHere(complete);
            } else {
              threads.compare(complete);
            }
            long position = Math.min(page.getLast().position(), end);
            status = status("running", position, end, tally.decided(), null, null, null);
            return position < range.upTo() || !assembly.isEmpty();
          });
      threads.compare(assembly.rest());
      threads.finish();
    }
  }

  private int threads() {
    return Math.min(
        limits.getInt(Limit.WHATIF_THREADS_MAX), Runtime.getRuntime().availableProcessors());
  }

  private ComparedCall compared(Assembled assembled, CandidateComparison comparison)
      throws InterruptedException {
    OpenedCall opened = assembled.opened(eventVocabulary);
    CallReceived received = opened.call().received();
    return new ComparedCall(
        assembled.callId(), assembled.at(), received, comparison(assembled, opened, comparison));
  }

  private static Comparison comparison(
      Assembled assembled, OpenedCall opened, CandidateComparison comparison)
      throws InterruptedException {
    if (opened.call().received() == null) {
      return notReplayable("unreadable", "this version cannot read the call's first event");
    }
    return assembled.isWhole()
        ? comparison.compare(opened.call(), assembled.position(), opened.contentState())
        : notReplayable(
            "open-calls", "too many calls were open at once: see limits.whatif_open_calls_max");
  }

  private static Comparison notReplayable(String reason, String message) {
    return new Comparison.NotReplayable(reason, message, new Check.NotChecked(reason));
  }
}
