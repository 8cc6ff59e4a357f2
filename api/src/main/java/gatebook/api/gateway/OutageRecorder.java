package gatebook.api.gateway;

import gatebook.command.call.CloseCall;
import gatebook.command.call.ReportOutage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts who was told that something could not be recorded, and has it recorded when it can be: one
 * event for the gap, and the end of each call that was left open.
 */
final class OutageRecorder {

  private static final Logger LOG = LoggerFactory.getLogger(OutageRecorder.class);

  /** How many open calls are remembered; those beyond are closed after the next start. */
  private static final int OPEN_CALLS_MAX = 10_000;

  private final CommandSender commandSender;
  private final InstantSource clock;
  private final List<Object> open = new ArrayList<>();
  private @Nullable Gap gap;
  private boolean reporting;

  private record Gap(Instant from, Instant to, String cause, long refused, long lost) {}

  OutageRecorder(CommandSender commandSender, InstantSource clock) {
    this.commandSender = commandSender;
    this.clock = clock;
  }

  /** Somebody was told so. */
  synchronized void noted(Fault fault) {
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

  /** Has a command that ends a call decided as soon as that can be recorded, which is not now. */
  synchronized void recordLater(CloseCall close) {
    again(close);
  }

  /** Has a command that ends a call decided, now or as soon as that can be recorded. */
  void record(Object command) {
    close(command);
  }

  private static String word(Fault fault) {
    return fault instanceof ServiceUnavailable(var cause, _) ? cause.word() : fault.kind();
  }

  /** Tries to record what there is; what cannot be yet waits for the next time. */
  void report() {
    Gap toReport = begin();
    if (toReport == null) {
      closeAll();
    } else {
      CompletableFuture<Void> _ =
          commandSender
              .of(command(toReport), Boolean.class)
              .handle((commandResult, failure) -> reported(toReport, commandResult, failure));
    }
  }

  private synchronized @Nullable Gap begin() {
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
    if (commandResult instanceof CommandResult.Done<Boolean>) {
      gap = rest(reported);
    }
    return null;
  }

  /** What came while the gap was being reported. */
  private @Nullable Gap rest(Gap reported) {
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
    List<Object> all = List.copyOf(open);
    open.clear();
    all.forEach(this::close);
  }

  private void close(Object call) {
    CompletableFuture<Void> _ =
        CompletableFuture.completedFuture(call)
            .thenCompose(it -> commandSender.of(it, Boolean.class)) // thrown or not, it is not lost
            .handle((commandResult, failure) -> {
              if (!(commandResult instanceof CommandResult.Done<Boolean>) || failure != null) {
                again(call);
              }
              return null;
            });
  }

  private synchronized void again(Object call) {
    if (open.size() < OPEN_CALLS_MAX) {
      open.add(call);
    }
  }
}
