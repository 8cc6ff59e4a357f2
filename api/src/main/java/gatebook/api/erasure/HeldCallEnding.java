package gatebook.api.erasure;

import gatebook.command.call.approval.DecideApproval;
import gatebook.events.CallReceived;
import gatebook.events.journal.Journal;
import gatebook.events.keys.ContentOwner;
import gatebook.events.vocabulary.ContentState;
import gatebook.query.Views;
import gatebook.query.call.CallEvents;
import gatebook.query.calls.CallQueries.OpenCalls;
import gatebook.query.calls.ListOpenCalls;
import gatebook.query.calls.OpenCall;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Ends the held calls whose content is erased: they are rejected, as by an operator. */
final class HeldCallEnding {
  private static final String REASON = "the content of this call was erased";

  /** Who rejects when no operator asked for the erasure. */
  private static final String RETENTION = "retention";

  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private final Journal journal;
  private final Views views;
  private final CallEvents callEvents;
  private final Function<DecideApproval, CompletableFuture<DecideApproval.Outcome>> approvals;
  private final InstantSource clock;

  HeldCallEnding(
      Journal journal,
      Views views,
      CallEvents callEvents,
      Function<DecideApproval, CompletableFuture<DecideApproval.Outcome>> approvals,
      InstantSource clock) {
    this.journal = journal;
    this.views = views;
    this.callEvents = callEvents;
    this.approvals = approvals;
    this.clock = clock;
  }

  /**
   * Rejects the held calls that an erasure reaches, and waits for a limited time until they ended.
   * Called before the keys go, and after: a call may have been received in between.
   *
   * @return how many were rejected
   */
  int end(RecordedErasure erasure) throws InterruptedException {
    long reached = views.named(Views.CALLS).awaitHead(0).position();
    List<UUID> rejected = new ArrayList<>();
    for (OpenCall call :
        views.queries().send(new ListOpenCalls(reached), OpenCalls.class).calls()) {
      if (call.held() && reaches(erasure, call.callId()) && reject(erasure, call.callId())) {
        rejected.add(call.callId());
      }
    }
    awaitEnd(rejected);
    return rejected.size();
  }

  private boolean reaches(RecordedErasure erasure, UUID callId) {
    return callEvents.entries(callId).stream()
        .filter(entry -> CallEvents.BEGINS.contains(entry.name()))
        .findFirst()
        .map(callEvents::open)
        .filter(first -> reaches(erasure, callId, first))
        .isPresent();
  }

  private static boolean reaches(RecordedErasure erasure, UUID callId, CallEvents.Opened first) {
    return first.event().orElse(null) instanceof CallReceived received
        && erasure.selection().test(ContentOwner.ofCall(received.principal().name(), callId))
        && (first.entry().position() < erasure.position()
            || first.contentState() == ContentState.ERASED);
  }

  private boolean reject(RecordedErasure erasure, UUID callId) {
    String operator = erasure.operator();
    DecideApproval rejection =
        new DecideApproval(
            callId, operator == null ? RETENTION : operator, false, REASON, clock.instant());
    return approvals.apply(rejection).join() instanceof DecideApproval.Outcome.Rejected;
  }

  private void awaitEnd(List<UUID> calls) throws InterruptedException {
    Semaphore news = new Semaphore(1);
    Runnable stop = journal.follow(news::release);
    try {
      long deadline = System.nanoTime() + WAIT_MAX.toNanos();
      List<UUID> open = new ArrayList<>(calls);
      while (!open.isEmpty()
          && news.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        news.drainPermits();
        open.removeIf(this::hasEnded);
      }
    } finally {
      stop.run();
    }
  }

  private boolean hasEnded(UUID callId) {
    return callEvents.entries(callId).stream()
        .anyMatch(entry -> CallEvents.ENDS.contains(entry.name()));
  }
}
