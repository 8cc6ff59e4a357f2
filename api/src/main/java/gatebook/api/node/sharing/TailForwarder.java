package gatebook.api.node.sharing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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

  /** Completed when everything so far was sent. The publisher calls one method after the other. */
  private CompletableFuture<?> sent = CompletableFuture.completedFuture("nothing");

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

  /**
   * Sends in order: the end may come while the last events are still being sent. After a failure,
   * as when the owner shuts down and no thread takes more work, nothing else is sent.
   */
  private void onWorkerThread(Runnable send) {
    sent =
        sent.thenRunAsync(send, mayBlock)
            .whenComplete((_, failure) -> {
              if (failure != null) {
                LOG.atDebug()
                    .setCause(failure)
                    .log("a follower of the journal gets no more events");
                subscription.join().cancel();
              }
            });
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
