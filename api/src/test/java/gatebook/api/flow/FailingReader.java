package gatebook.api.flow;

import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A reader of events that fails after the first one. */
final class FailingReader implements Subscriber<byte[]> {
  private boolean hasOne;

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(byte[] event) {
    if (hasOne) {
      throw new IllegalStateException("a connection that fails");
    }
    hasOne = true;
  }

  @Override
  public void onError(Throwable failure) {
    throw new AssertionError(failure);
  }

  @Override
  public void onComplete() {
    throw new AssertionError("a stream that failed has no end");
  }
}
