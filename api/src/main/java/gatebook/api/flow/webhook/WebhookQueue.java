package gatebook.api.flow.webhook;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.command.axon.CommandConfiguration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue of the facts for the webhook of one execution, which are delivered one at a time and in
 * order. A slow receiver misses the oldest facts, and one that accepts nothing all that wait; the
 * end of the execution is never dropped.
 */
public final class WebhookQueue implements ExecutionListener {
  static final int WAITING_MAX = 64;

  private static final Logger LOG = LoggerFactory.getLogger(WebhookQueue.class);
  private static final Executor SENDERS = CommandConfiguration.OFF_THE_SENDERS_THREAD;

  private final Function<ToldFact, CompletableFuture<Boolean>> delivery;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<ToldFact> waiting = new ArrayDeque<>();
  private boolean sending;

  /** A fact, with the share of the execution that was done then. */
  public record ToldFact(ExecutionFact fact, double share) {
    private boolean isEnd() {
      return fact instanceof ExecutionFact.ExecutionEnded;
    }
  }

  /**
   * @param delivery of one fact; completed with whether the receiver accepted it
   */
  public WebhookQueue(Function<ToldFact, CompletableFuture<Boolean>> delivery) {
    this.delivery = delivery;
  }

  @Override
  public void on(ExecutionFact fact, double share) {
    boolean isFirst;
    lock.lock();
    try {
      if (waiting.size() == WAITING_MAX) {
        ToldFact _ = waiting.removeFirst();
      }
      waiting.add(new ToldFact(fact, share));
      isFirst = !sending;
      sending = true;
    } finally {
      lock.unlock();
    }
    if (isFirst) {
      SENDERS.execute(this::sendNext);
    }
  }

  private void sendNext() {
    ToldFact next;
    lock.lock();
    try {
      next = waiting.poll();
      sending = next != null;
    } finally {
      lock.unlock();
    }
    if (next != null) {
      CompletableFuture<Void> _ =
          delivery
              .apply(next)
              .handle((isDelivered, failure) -> failure == null ? isDelivered : lost(failure))
              .thenAcceptAsync(this::goOn, SENDERS);
    }
  }

  private static boolean lost(Throwable failure) {
    LOG.atError()
        .setCause(failure)
        .log("the delivery of a webhook could not be recorded: the next start tells the end again");
    return false;
  }

  private void goOn(boolean isDelivered) {
    if (!isDelivered) {
      lock.lock();
      try {
        waiting.removeIf(told -> !told.isEnd());
      } finally {
        lock.unlock();
      }
    }
    sendNext();
  }
}
