package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.MessageListener;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Passes messages to a listener and drops those that arrive while it has no room, so that one slow
 * caller does not delay the others.
 */
public final class DroppingListener implements Consumer<byte[]> {

  private final MessageListener listener;
  private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);

  public DroppingListener(MessageListener listener) {
    this.listener = listener;
  }

  @Override
  public synchronized void accept(byte[] message) {
    if (last.isDone()) {
      last = listener.onMessage(message);
    }
  }
}
