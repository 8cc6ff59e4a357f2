package gatebook.api.serve;

import gatebook.command.abandon.OrphanCall;
import gatebook.query.calls.Calls;
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
final class Aftermath {

  private static final Logger LOG = LoggerFactory.getLogger(Aftermath.class);

  private final Calls calls;
  private final Successor successor;
  private final InstantSource clock;
  private final Predicate<OpenCall> isLeft;

  /** {@code isDead} says of a node's name whether that process is no more. */
  Aftermath(Calls calls, Successor successor, InstantSource clock, Predicate<OpenCall> isLeft) {
    this.calls = calls;
    this.successor = successor;
    this.clock = clock;
    this.isLeft = isLeft;
  }

  /** Closes what was open up to a position, on a thread of its own: the view has to come so far. */
  Thread begin(long upToPosition) {
    return Thread.ofPlatform().daemon().name("aftermath").start(() -> closeAll(upToPosition));
  }

  private void closeAll(long upToPosition) {
    try {
      List<OpenCall> open = calls.open(upToPosition).stream().filter(isLeft).toList();
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
          successor.close(new OrphanCall(call.callId(), call.node(), clock.instant())).join();
      if (!closed && call.taskId() != null) {
        successor.goOn(call.callId());
      }
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("call_id", call.callId())
          .setCause(e)
          .log("a call left open could not be closed: the next start tries again");
    }
  }
}
