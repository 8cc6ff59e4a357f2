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

/** One member's operator who follows the journal: the next is asked for when one is on its way. */
final class TailForwarder implements Subscriber<byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(TailForwarder.class);

  private final Executor mayBlock;
  private final Consumer<OwnerResponse> member;
  private final CompletableFuture<Subscription> subscription = new CompletableFuture<>();

  /** {@code member} is told on threads that may wait for it. */
  TailForwarder(Executor mayBlock, Consumer<OwnerResponse> member) {
    this.mayBlock = mayBlock;
    this.member = member;
  }

  @Override
  public void onSubscribe(Subscription to) {
    subscription.complete(to);
    to.request(1);
  }

  /** Waits nowhere: whoever hands over has to see when nothing is taken. */
  @Override
  public void onNext(byte[] events) {
    elsewhere(() -> {
      member.accept(new OwnerResponse.Heard(events));
      subscription.join().request(1);
    });
  }

  private void elsewhere(Runnable telling) {
    try {
      mayBlock.execute(telling);
    } catch (RejectedExecutionException _) {
      subscription.join().cancel(); // the owner ends
    }
  }

  @Override
  public void onError(@Nullable Throwable failure) {
    LOG.error("following the journal for an operator failed", failure);
    onComplete();
  }

  @Override
  public void onComplete() {
    elsewhere(() -> member.accept(new OwnerResponse.Over()));
  }
}
