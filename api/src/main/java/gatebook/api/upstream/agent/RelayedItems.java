package gatebook.api.upstream.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.agent.client.AgentItem;
import gatebook.api.upstream.agent.client.AgentItemReader;
import gatebook.api.upstream.agent.client.AgentStreamListener;
import gatebook.api.upstream.agent.client.StreamEnd;
import gatebook.events.call.StreamSummary;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Relays the items of an agent's stream to a listener in the caller's version, one after the other.
 * An item that ends the task is not relayed before another follows: the end of the stream is
 * recorded before its last item goes out.
 */
final class RelayedItems implements AgentStreamListener {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final A2aVersion spoken;
  private final AgentTranslation translation;
  private final MessageListener listener;
  private final Function<AgentItem, Ended> untranslatable;
  private final CompletableFuture<Ended> stopped = new CompletableFuture<>();
  private volatile Relayed relayed = new Relayed(null, false);

  /**
   * The latest item, as the caller gets it.
   *
   * @param isHeldBack whether it was not relayed
   */
  private record Relayed(@Nullable String json, boolean isHeldBack) {}

  /**
   * Has relayed nothing yet.
   *
   * @param spoken the agent's version
   * @param translation from the agent's version into the caller's
   * @param untranslatable what the stream ends with at an item without a counterpart
   */
  RelayedItems(
      A2aVersion spoken,
      AgentTranslation translation,
      MessageListener listener,
      Function<AgentItem, Ended> untranslatable) {
    this.spoken = spoken;
    this.translation = translation;
    this.listener = listener;
    this.untranslatable = untranslatable;
  }

  /** Completes with the end of a stream that is not relayed further. */
  CompletableFuture<Ended> stopped() {
    return stopped;
  }

  @Override
  public CompletableFuture<Void> onItem(AgentItem item) {
    Relayed last = relayed;
    return last.isHeldBack
        ? relay(Objects.requireNonNull(last.json)).thenCompose(_ -> take(item))
        : take(item);
  }

  private CompletableFuture<Void> take(AgentItem item) {
    String json = translation.item(item).orElse(null);
    if (json == null) {
      return stop(untranslatable.apply(item));
    }
    boolean isHeldBack =
        AgentItemReader.isLast(spoken, item) || (item.state() != null && item.state().isTerminal());
    relayed = new Relayed(json, isHeldBack);
    return isHeldBack ? DONE : relay(json);
  }

  private CompletableFuture<Void> relay(String json) {
    return listener
        .onMessage(json.getBytes(UTF_8))
        .thenCompose(accepted ->
            accepted
                ? DONE
                : stop(new Ended.Failure(new ServiceUnavailable(Cause.SHUTTING_DOWN, null))));
  }

  /** Nothing more is read: the item is never done. */
  private CompletableFuture<Void> stop(Ended ended) {
    stopped.complete(ended);
    return new CompletableFuture<>();
  }

  /** The end of a stream that ended regularly. */
  Ended end(StreamEnd end, boolean taskFailed) {
    Relayed last = relayed;
    return new Ended.Streamed(
        Objects.requireNonNull(last.json, "no stream ends before its first item"),
        !last.isHeldBack,
        taskFailed,
        new StreamSummary(
            end.items(),
            end.state() == null ? null : end.state().word(A2aVersion.V0_3).orElseThrow()));
  }
}
