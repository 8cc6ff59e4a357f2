package gatebook.api.a2a.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.a2a.upstream.OwnedIds.CheckedAnswer;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.events.fault.Fault;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Passes the items of an agent's stream on to the caller, each after its ids are recorded as the
 * caller's own. An item with the ids of another caller is not accepted.
 */
final class OwnedItems implements MessageListener {
  private final OwnedIds ids;
  private final @Nullable A2aExchange exchange;
  private final @Nullable String requestId;
  private volatile @Nullable Fault fault;

  /**
   * The items of one stream.
   *
   * @param requestId the token of the request's id; absent when no response is wanted
   */
  OwnedItems(OwnedIds ids, ClientChannel channel, @Nullable String requestId) {
    this.ids = ids;
    this.exchange = channel instanceof A2aExchange it ? it : null;
    this.requestId = requestId;
    if (exchange != null && requestId != null) {
      exchange.relay(requestId);
    }
  }

  /** Whether the caller can get items, or wants none. */
  boolean canBeSent() {
    return requestId == null || exchange != null;
  }

  @Override
  public CompletableFuture<Boolean> onMessage(byte[] message) {
    String json = new String(message, UTF_8);
    return ids.check(json)
        .thenCompose(checked ->
            switch (checked) {
              case CheckedAnswer.Own(var own) -> send(own);
              case CheckedAnswer.Foreign(var found) -> {
                fault = found;
                yield CompletableFuture.completedFuture(false);
              }
            });
  }

  private CompletableFuture<Boolean> send(String json) {
    return exchange == null || requestId == null
        ? CompletableFuture.completedFuture(true)
        : exchange.sendItem(json);
  }

  /** The response of a stream: what is wrong with an item says more than that it was refused. */
  Response response(Response response) {
    Fault found = fault;
    return found == null ? response : new Ended.Failure(found);
  }
}
