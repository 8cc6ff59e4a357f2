package gatebook.api.node;

import gatebook.api.gateway.Gateway;
import gatebook.api.http.HttpServers;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the calls of a node that stops, so that no caller sees a broken connection. New calls are
 * still answered for a while, on connections that are announced to close. Then no connection is
 * accepted any more, calls in flight end within the grace period, and the callers of those that do
 * not get an error, once it is recorded.
 */
final class NodeStop {

  private static final Logger LOG = LoggerFactory.getLogger(NodeStop.class);

  /** How long recording and telling the errors may take. */
  private static final long RECORD_MILLIS_MAX = 3_000;

  private final HttpServers httpServers;
  private final Gateway gateway;
  private final GatewayLimits limits;
  private final CompletableFuture<Void> hurry;

  /**
   * The calls that ended since the node began to stop.
   *
   * @param ended with their own outcomes
   * @param closed after the grace period, with errors
   */
  record EndedCalls(long ended, long closed) {}

  /**
   * @param hurry completed when nobody wants to wait any longer
   */
  NodeStop(
      HttpServers httpServers,
      Gateway gateway,
      GatewayLimits limits,
      CompletableFuture<Void> hurry) {
    this.httpServers = httpServers;
    this.gateway = gateway;
    this.limits = limits;
    this.hurry = hurry;
  }

  /**
   * Waits until clients have learned that the node stops, and then ends the calls.
   *
   * @param drains whether there may be clients that have to learn it
   */
  EndedCalls drainAndEndCalls(boolean drains) {
    long drainMillis = drains ? limits.get(Limit.STOP_DRAIN_MILLIS) : 0;
    LOG.atInfo()
        .addKeyValue("calls_in_flight", gateway.callsInFlight())
        .addKeyValue("held_calls", gateway.heldCalls().count())
        .addKeyValue("drain_millis", drainMillis)
        .addKeyValue("grace_millis", limits.get(Limit.STOP_GRACE_MILLIS_MAX))
        .log("stopping: a second signal ends the calls in flight at once");
    long endedBefore = gateway.callsEnded();
    httpServers.askCallersToLeave();
    await(new CompletableFuture<>(), drainMillis);
    int closed = endCalls();
    return new EndedCalls(Math.max(0, gateway.callsEnded() - endedBefore - closed), closed);
  }

  /** Accepts no more calls and ends those in flight; returns how many of them with errors. */
  int endCalls() {
    httpServers.askCallersToLeave();
    CompletableFuture<Void> allEnded =
        httpServers.closeCallers().thenCompose(_ -> gateway.noCallInFlight());
    gateway.endLongCalls();
    await(allEnded, limits.get(Limit.STOP_GRACE_MILLIS_MAX));
    int closed = gateway.endCalls();
    Object _ =
        allEnded
            .copy()
            .completeOnTimeout(null, RECORD_MILLIS_MAX, TimeUnit.MILLISECONDS)
            .handle((_, _) -> 0)
            .join();
    return closed;
  }

  private void await(CompletableFuture<Void> done, long millisMax) {
    Object _ =
        CompletableFuture.anyOf(done, hurry)
            .completeOnTimeout(null, millisMax, TimeUnit.MILLISECONDS)
            .handle((_, _) -> 0) // a connection that cannot be closed keeps no node running
            .join();
  }
}
