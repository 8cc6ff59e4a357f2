package gatebook.api.flow.executor;

import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.rules.Rules;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sender that retries commands and queries of running trees for as long as the journal refuses
 * them, so that an outage of the journal loses nothing that an execution has done.
 */
public final class RetryingSender {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingSender.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** The failures that one message may have; refusals by the journal are not limited. */
  private static final int FAILURES_MAX = 5;

  private static final Executor AFTER_PAUSE =
      CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);

  private final CommandSender commandSender;
  private final QuerySender querySender;
  private final Supplier<RoutingSnapshot> routingSnapshots;
  private volatile boolean closed;

  public RetryingSender(
      CommandSender commandSender,
      QuerySender querySender,
      Supplier<RoutingSnapshot> routingSnapshots) {
    this.commandSender = commandSender;
    this.querySender = querySender;
    this.routingSnapshots = routingSnapshots;
  }

  /**
   * Sends a command under the rules in force; completed with the outcome when it is recorded, and
   * never once this is closed.
   */
  public <R> CompletableFuture<R> command(Function<Rules, Object> command, Class<R> outcome) {
    return retried(rules -> commandSender.send(command.apply(rules), outcome, rules));
  }

  /** Sends a query under the rules in force; completed when it could be answered. */
  public <R> CompletableFuture<R> query(Function<Rules, Object> query, Class<R> answer) {
    return retried(rules -> querySender.send(query.apply(rules), answer, rules));
  }

  private <R> CompletableFuture<R> retried(
      Function<Rules, CompletableFuture<CommandResult<R>>> attempt) {
    CompletableFuture<R> done = new CompletableFuture<>();
    attempt(attempt, FAILURES_MAX, done);
    return done;
  }

  private <R> void attempt(
      Function<Rules, CompletableFuture<CommandResult<R>>> attempt,
      int failuresLeft,
      CompletableFuture<R> done) {
    if (closed) {
      return;
    }
    CompletableFuture<CommandResult<R>> _ =
        attempt
            .apply(routingSnapshots.get().rules())
            .whenComplete((result, failure) -> {
              if (failure != null && failuresLeft == 0) {
                done.completeExceptionally(failure);
              } else if (result instanceof CommandResult.Stored<R>(var outcome)) {
                done.complete(outcome);
              } else {
                LOG.atWarn()
                    .setCause(failure)
                    .log("a step of a tree's execution is tried again: the journal refused it");
                int left = failure == null ? failuresLeft : failuresLeft - 1;
                AFTER_PAUSE.execute(() -> attempt(attempt, left, done));
              }
            });
  }

  /** Sends nothing more. */
  public void close() {
    closed = true;
  }
}
