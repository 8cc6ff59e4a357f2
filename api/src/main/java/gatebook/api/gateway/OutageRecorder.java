package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.gateway.ReportOutage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the error responses during an outage of the journal, and records the outage when the
 * journal is back: one event for the gap, and the end of each call that was left open.
 */
final class OutageRecorder {

  private static final Logger LOG = LoggerFactory.getLogger(OutageRecorder.class);

  /** How many open calls are kept; those beyond are closed after the next start. */
  private static final int OPEN_CALLS_MAX = 10_000;

  private final CommandSender commandSender;
  private final InstantSource clock;
  private final List<Object> openCalls = new ArrayList<>();
  private CompletableFuture<Void> attempts = CompletableFuture.completedFuture(null);
  private @Nullable Gap gap;
  private boolean reporting;

  private record Gap(Instant from, Instant to, String cause, long refused, long lost) {}

  OutageRecorder(CommandSender commandSender, InstantSource clock) {
    this.commandSender = commandSender;
    this.clock = clock;
  }

  /** Counts an error response for a message that could not be recorded. */
  synchronized void count(Fault fault) {
    Instant now = clock.instant();
    boolean lost =
        fault instanceof ServiceUnavailable(var cause, _) && cause == Cause.OUTCOME_NOT_RECORDED;
    Gap before = gap == null ? new Gap(now, now, word(fault), 0, 0) : gap;
    gap =
        new Gap(
            before.from,
            now,
            before.cause,
            before.refused + (lost ? 0 : 1),
            before.lost + (lost ? 1 : 0));
  }

  /** Sends a command that ends a call as soon as the journal is back, which is not now. */
  synchronized void recordLater(CloseUnrecordedCall close) {
    retryLater(close);
  }

  /** Sends a command that ends a call, now and again until it is recorded. */
  void record(Object command) {
    close(command, failure -> LOG.warn("the end of a call is not recorded yet", failure));
  }

  /** Completes when each command that is being sent now is recorded or has to be sent again. */
  synchronized CompletableFuture<Void> attempted() {
    return attempts;
  }

  private static String word(Fault fault) {
    return fault instanceof ServiceUnavailable(var cause, _) ? cause.word() : fault.kind();
  }

  /** Tries to record the outage and the ends of calls; what is refused waits for the next time. */
  void report() {
    Gap toReport = startReport();
    if (toReport == null) {
      closeAll();
    } else {
      track(
          commandSender
              .send(command(toReport), Boolean.class)
              .handle((commandResult, failure) -> reported(toReport, commandResult, failure)));
    }
  }

  private synchronized @Nullable Gap startReport() {
    if (reporting || gap == null) {
      return null;
    }
    reporting = true;
    return gap;
  }

  private static ReportOutage command(Gap gap) {
    return new ReportOutage(gap.from, gap.to, gap.cause, gap.refused, gap.lost);
  }

  private synchronized @Nullable Void reported(
      Gap reported, @Nullable CommandResult<Boolean> commandResult, @Nullable Throwable failure) {
    reporting = false;
    if (failure != null) {
      LOG.error("an outage of the journal could not be reported", failure);
    }
    if (commandResult instanceof CommandResult.Stored<Boolean>) {
      gap = remaining(reported);
    }
    return null;
  }

  /** What was counted while the gap was being reported. */
  private @Nullable Gap remaining(Gap reported) {
    Gap now = gap;
    return now == null || now.equals(reported)
        ? null
        : new Gap(
            reported.to,
            now.to,
            now.cause,
            now.refused - reported.refused,
            now.lost - reported.lost);
  }

  private synchronized void closeAll() {
    List<Object> all = List.copyOf(openCalls);
    openCalls.clear();
    all.forEach(call -> close(call, _ -> {})); // its first failure was logged
  }

  private void close(Object call, Consumer<Throwable> onFailure) {
    track(
        CompletableFuture.completedFuture(call)
            .thenCompose(
                it -> commandSender.send(it, Boolean.class)) // an exception does not lose it
            .handle((commandResult, failure) -> {
              if (!(commandResult instanceof CommandResult.Stored<Boolean>) || failure != null) {
                retryLater(call);
              }
              if (failure != null) {
                onFailure.accept(failure);
              }
              return null;
            }));
  }

  private synchronized void track(CompletableFuture<Void> attempt) {
    attempts = CompletableFuture.allOf(attempts, attempt);
  }

  private synchronized void retryLater(Object call) {
    if (openCalls.size() < OPEN_CALLS_MAX) {
      openCalls.add(call);
    }
  }
}
