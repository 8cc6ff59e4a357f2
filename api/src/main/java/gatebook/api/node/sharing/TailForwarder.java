package gatebook.api.node.sharing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards the tail of the journal to a member, for an operator who follows it. Requests the next
 * events when the last were sent.
 */
final class TailForwarder implements Subscriber<byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(TailForwarder.class);

  private final Executor mayBlock;
  private final Consumer<OwnerResponse> member;
  private final CompletableFuture<Subscription> subscription = new CompletableFuture<>();

  /** {@code member} sends responses, and is called on threads that may block. */
  TailForwarder(Executor mayBlock, Consumer<OwnerResponse> member) {
    this.mayBlock = mayBlock;
    this.member = member;
  }

  @Override
  public void onSubscribe(Subscription to) {
    subscription.complete(to);
    to.request(1);
  }

  /** Never blocks: the publisher has to notice a subscriber that requests nothing. */
  @Override
  public void onNext(byte[] events) {
    onWorkerThread(() -> {
      member.accept(new OwnerResponse.FollowedEvents(events));
      subscription.join().request(1);
    });
  }

  private void onWorkerThread(Runnable send) {
    try {
      mayBlock.execute(send);
    } catch (RejectedExecutionException _) {
      subscription.join().cancel(); // the owner is shutting down
    }
  }

  @Override
  public void onError(@Nullable Throwable failure) {
    LOG.error("following the journal for an operator failed", failure);
    onComplete();
  }

  @Override
  public void onComplete() {
    onWorkerThread(() -> member.accept(new OwnerResponse.FollowEnded()));
  }
}
