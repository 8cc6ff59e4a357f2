package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A reader of events that requests as many as the test wants. */
public final class TestReader implements Subscriber<byte[]> {

  private final SsePublisher ssePublisher;
  private final long first;
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private volatile boolean ended;
  private @Nullable Subscription subscription;

  /** A reader that requests the first events at once. */
  public TestReader(SsePublisher ssePublisher, long first) {
    this.ssePublisher = ssePublisher;
    this.first = first;
    ssePublisher.subscribe(this);
  }

  public SsePublisher publisher() {
    return ssePublisher;
  }

  void request(long more) {
    Objects.requireNonNull(subscription, "subscribed").request(more);
  }

  @Override
  public void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
    if (first > 0) {
      newSubscription.request(first);
    }
  }

  @Override
  public void onNext(byte[] event) {
    taken.add(new String(event, UTF_8));
  }

  @Override
  public void onError(Throwable failure) {
    throw new AssertionError(failure);
  }

  @Override
  public void onComplete() {
    ended = true;
  }

  public String text() {
    return String.join("", taken);
  }

  public boolean isEnded() {
    return ended;
  }
}
