package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Aside;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Says to one of many callers what there is to be said, and does not keep the others waiting for
 * him: what comes while he has no room is lost to him.
 */
public final class DroppingListener implements Consumer<byte[]> {

  private final Aside aside;
  private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);

  public DroppingListener(Aside aside) {
    this.aside = aside;
  }

  @Override
  public synchronized void accept(byte[] message) {
    if (last.isDone()) {
      last = aside.said(message);
    }
  }
}
