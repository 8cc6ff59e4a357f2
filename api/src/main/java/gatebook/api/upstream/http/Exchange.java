package gatebook.api.upstream.http;

import gatebook.api.upstream.http.Ending.NotConnected;
import gatebook.api.upstream.http.Ending.Overloaded;
import gatebook.api.upstream.http.Ending.TimedOut;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** One request on its way. Whoever completes its ending first has decided it. */
final class Exchange {

  private enum Stage {
    WAITING,
    CONNECTING,
    WRITTEN,
    LATE
  }

  private final FullHttpRequest request;
  private final Predicate<byte[]> wanted;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private Stage stage = Stage.WAITING;

  /**
   * A request that was not sent.
   *
   * @param wanted whether an event of a stream is the answer
   */
  Exchange(FullHttpRequest request, Predicate<byte[]> wanted) {
    this.request = request;
    this.wanted = wanted;
  }

  CompletableFuture<Ending> ending() {
    return ending;
  }

  boolean isWanted(byte[] event) {
    return wanted.test(event);
  }

  boolean isOver() {
    return ending.isDone();
  }

  void end(Ending how) {
    ending.complete(how);
  }

  synchronized void connecting() {
    if (stage == Stage.WAITING) {
      stage = Stage.CONNECTING;
    }
  }

  /** The request, once, for whoever writes it now; none when it is too late for that. */
  synchronized Optional<FullHttpRequest> taken() {
    if (isOver() || stage == Stage.WRITTEN || stage == Stage.LATE) {
      return Optional.empty();
    }
    stage = Stage.WRITTEN;
    return Optional.of(request);
  }

  void late() {
    end(
        switch (lateAt()) {
          case WAITING, LATE -> new Overloaded();
          case CONNECTING -> new NotConnected("no connection in time");
          case WRITTEN -> new TimedOut();
        });
  }

  /** What was not written by now never is, so that nobody is told otherwise. */
  private synchronized Stage lateAt() {
    Stage reached = stage;
    stage = reached == Stage.WRITTEN ? reached : Stage.LATE;
    return reached;
  }
}
