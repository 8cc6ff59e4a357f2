package gatebook.api.node;

import gatebook.api.node.NodeLiveness.OrphanCheck;
import gatebook.command.call.OrphanCall;
import gatebook.query.ViewQueries;
import gatebook.query.calls.CallQueries.OpenCalls;
import gatebook.query.calls.ListOpenCalls;
import gatebook.query.calls.OpenCall;
import gatebook.query.projection.ViewFailed;
import gatebook.query.trees.ListOpenExecutions;
import gatebook.query.trees.ListOpenWebhooks;
import gatebook.query.trees.TreeQueries.OpenExecutions;
import gatebook.query.trees.TreeQueries.OpenWebhooks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes orphaned calls, which a dead process left open, and resumes those that are tasks, whose
 * callers come back for the outcome. The events of a call show whether it may have had its effect.
 * No response is sent, because no caller waits.
 */
final class OrphanCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(OrphanCleanup.class);

  private final ViewQueries queries;
  private final OrphanHandler orphanHandler;
  private final InstantSource clock;
  private final OrphanCheck orphanCheck;
  private final Duration pause;

  /**
   * @param pause between two tries to read what is open
   */
  OrphanCleanup(
      ViewQueries queries,
      OrphanHandler orphanHandler,
      InstantSource clock,
      OrphanCheck orphanCheck,
      Duration pause) {
    this.queries = queries;
    this.orphanHandler = orphanHandler;
    this.clock = clock;
    this.orphanCheck = orphanCheck;
    this.pause = pause;
  }

  /**
   * Closes the calls that are open at a position, on a new thread: it first waits for the view to
   * reach the position.
   */
  Thread start(long upToPosition) {
    return Thread.ofPlatform().daemon().name("orphan-cleanup").start(() -> closeAll(upToPosition));
  }

  /** Retries until everything is read: a call that is missed stays open until the next start. */
  private void closeAll(long upToPosition) {
    try {
      while (!tryCloseAll(upToPosition)) {
        Thread.sleep(pause);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean tryCloseAll(long upToPosition) throws InterruptedException {
    try {
      List<OpenCall> open =
          queries.send(new ListOpenCalls(upToPosition), OpenCalls.class).calls().stream()
              .filter(call -> orphanCheck.isOrphaned(call.node(), call.receivedAt()))
              .toList();
      open.forEach(this::close);
      takeOverTrees(upToPosition);
      takeOverWebhooks(upToPosition);
      if (!open.isEmpty()) {
        LOG.atInfo()
            .addKeyValue("calls", open.size())
            .log("closed calls that dead processes left open");
      }
      return true;
    } catch (ViewFailed e) {
      LOG.atError()
          .addKeyValue("again_in_seconds", pause.toSeconds())
          .setCause(e)
          .log("cannot read the calls that dead processes left open");
      return false;
    }
  }

  private void takeOverTrees(long upToPosition) throws InterruptedException {
    queries.send(new ListOpenExecutions(upToPosition), OpenExecutions.class).executions().stream()
        .filter(execution -> orphanCheck.isOrphaned(execution.node(), execution.startedAt()))
        .forEach(it -> takeOver(it.treeId(), () -> orphanHandler.takeOver(it)));
  }

  private void takeOverWebhooks(long upToPosition) throws InterruptedException {
    queries.send(new ListOpenWebhooks(upToPosition), OpenWebhooks.class).webhooks().stream()
        .filter(webhook -> orphanCheck.isOrphaned(webhook.node(), webhook.claimedAt()))
        .forEach(it -> takeOver(it.treeId(), () -> orphanHandler.takeOver(it)));
  }

  private static void takeOver(UUID treeId, Supplier<CompletableFuture<Void>> takeOver) {
    try {
      takeOver.get().join();
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("tree_id", treeId)
          .setCause(e)
          .log("cannot take over the execution of a tree: the next start tries again");
    }
  }

  private void close(OpenCall call) {
    try {
      boolean closed =
          orphanHandler.close(new OrphanCall(call.callId(), call.node(), clock.instant())).join();
      if (!closed && call.taskId() != null) {
        orphanHandler.resume(call.callId());
      }
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("call_id", call.callId())
          .setCause(e)
          .log("cannot close a call that a dead process left open: the next start tries again");
    }
  }
}
