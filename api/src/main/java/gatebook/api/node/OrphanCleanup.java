package gatebook.api.node;

import gatebook.command.call.OrphanCall;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.OpenCall;
import gatebook.query.projection.ViewFailed;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the calls that processes left open which are no more, and goes on with those whose callers
 * come back. Whether a call may have had its effect is in its events; nobody is told anything,
 * because nobody waits.
 */
final class OrphanCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(OrphanCleanup.class);

  private final CallQueries callQueries;
  private final OrphanHandler orphanHandler;
  private final InstantSource clock;
  private final Predicate<OpenCall> isLeft;

  /** {@code isDead} says of a node's name whether that process is no more. */
  OrphanCleanup(
      CallQueries callQueries,
      OrphanHandler orphanHandler,
      InstantSource clock,
      Predicate<OpenCall> isLeft) {
    this.callQueries = callQueries;
    this.orphanHandler = orphanHandler;
    this.clock = clock;
    this.isLeft = isLeft;
  }

  /** Closes what was open up to a position, on a thread of its own: the view has to come so far. */
  Thread begin(long upToPosition) {
    return Thread.ofPlatform().daemon().name("aftermath").start(() -> closeAll(upToPosition));
  }

  private void closeAll(long upToPosition) {
    try {
      List<OpenCall> open = callQueries.open(upToPosition).stream().filter(isLeft).toList();
      open.forEach(this::close);
      if (!open.isEmpty()) {
        LOG.atInfo().addKeyValue("calls", open.size()).log("calls left open were closed");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ViewFailed e) {
      LOG.error("calls left open cannot be found", e);
    }
  }

  private void close(OpenCall call) {
    try {
      boolean closed =
          orphanHandler.close(new OrphanCall(call.callId(), call.node(), clock.instant())).join();
      if (!closed && call.taskId() != null) {
        orphanHandler.goOn(call.callId());
      }
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("call_id", call.callId())
          .setCause(e)
          .log("a call left open could not be closed: the next start tries again");
    }
  }
}
