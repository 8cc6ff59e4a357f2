package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.SubscriptionFilter;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fans in the subscriptions of one caller to several sources.
 *
 * <p>Each source gets the part of the filter that concerns it. Once each source has acknowledged,
 * refused, or exceeded its answer timeout, the caller gets one acknowledgement of everything that
 * was agreed to; from then on notifications are forwarded as they arrive. A source that refuses or
 * ends does not affect the others. The subscription ends when no source is left or the caller is
 * gone.
 */
final class SubscriptionFanIn implements Upstream.Delegating {

  private final Upstream delegate;
  private final SubscriptionFilter subscriptionFilter;
  private final List<Part> parts;

  /** A source and its part of the filter. */
  record Part(Source source, Upstream upstream, SubscriptionFilter filter) {}

  /**
   * Sends nothing yet.
   *
   * @param delegate one of the sources, whose refusal is returned when all refuse
   * @param subscriptionFilter of the caller
   */
  SubscriptionFanIn(Upstream delegate, SubscriptionFilter subscriptionFilter, List<Part> parts) {
    this.delegate = delegate;
    this.subscriptionFilter = subscriptionFilter;
    this.parts = List.copyOf(parts);
  }

  @Override
  public Upstream delegate() {
    return delegate;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    if (call.id() == null) {
      // a notification gets no response, and so no subscription
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    FanInSubscription fanInSubscription = new FanInSubscription(call, call.id(), listener);
    fanInSubscription.start();
    return fanInSubscription.response;
  }

  /** The subscription of one caller. */
  private final class FanInSubscription {
    private final Call call;
    private final String id;
    private final MessageListener listener;
    private final List<SourceSubscription> subscriptions;
    private final CompletableFuture<Response> response = new CompletableFuture<>();

    /** Completes when the acknowledgement was sent, with whether the caller accepted it. */
    private final CompletableFuture<Boolean> acknowledged = new CompletableFuture<>();

    private boolean isAgreed;

    FanInSubscription(Call call, String id, MessageListener listener) {
      this.call = call;
      this.id = id;
      this.listener = listener;
      this.subscriptions = parts.stream().map(part -> new SourceSubscription(this, part)).toList();
    }

    void start() {
      subscriptions.forEach(SourceSubscription::start);
    }

    /** Sends the acknowledgement or the end when the state of a source made that possible. */
    void update() {
      if (claimAgreement()) {
        CompletableFuture<Boolean> _ =
            listener
                .onMessage(acknowledgement())
                .whenComplete((isDelivered, failure) ->
                    acknowledged.complete(failure == null && Boolean.TRUE.equals(isDelivered)));
      }
      if (subscriptions.stream().allMatch(SourceSubscription::isOver)) {
        end();
      }
    }

    /** True once: when no source is pending any longer and at least one has agreed. */
    private synchronized boolean claimAgreement() {
      boolean isFirst =
          !isAgreed
              && subscriptions.stream().noneMatch(SourceSubscription::isPending)
              && subscriptions.stream().anyMatch(SourceSubscription::hasAgreed);
      isAgreed |= isFirst;
      return isFirst;
    }

    private synchronized boolean isAgreed() {
      return isAgreed;
    }

    private byte[] acknowledgement() {
      return subscriptionFilter
          .agreedBy(subscriptions.stream().flatMap(it -> it.agreed().stream()).toList())
          .acknowledgement(id);
    }

    /** Ends the subscription, but never before the acknowledgement. */
    private void end() {
      if (!isAgreed()) {
        response.complete(refusal());
        acknowledged.complete(false);
      }
      CompletableFuture<Void> _ = acknowledged.thenAccept(_ -> response.complete(complete()));
    }

    private Response complete() {
      return new Ended.Result(
          "{\"resultType\":\"complete\",\"_meta\":{%s:%s}}"
              .formatted(quoted(SubscriptionFilter.SUBSCRIPTION), id),
          false);
    }

    private Response refusal() {
      SourceSubscription sourceSubscription =
          subscriptions.stream()
              .filter(it -> it.part.source.id().equals(delegate.source()))
              .findFirst()
              .orElse(subscriptions.getFirst());
      return Upstream.ended(sourceSubscription.part.source, sourceSubscription.result());
    }
  }

  /** The subscription of one caller to one source. */
  private static final class SourceSubscription implements Upstream.MessageListener {
    private final FanInSubscription parent;
    private final Part part;
    private @Nullable SubscriptionFilter agreed;
    private @Nullable Response result;

    SourceSubscription(FanInSubscription fanInSubscription, Part part) {
      this.parent = fanInSubscription;
      this.part = part;
    }

    void start() {
      Call call = parent.call;
      CompletableFuture<Response> sent =
          part.upstream.call(
              new Call(call.id(), call.method(), params(call), false, call.headers()), this);
      CompletableFuture<Response> _ = parent.response.whenComplete((_, _) -> sent.cancel(false));
      CompletableFuture<Response> _ =
          sent.whenComplete((response, failure) -> {
            if (failure == null) {
              end(response);
            } else if (!isOver()) { // otherwise it was cancelled
              parent.response.completeExceptionally(failure);
            }
          });
      CompletableFuture<Void> _ =
          new CompletableFuture<@Nullable Void>()
              .completeOnTimeout(null, part.source.answerMillis(), TimeUnit.MILLISECONDS)
              .thenRun(() -> timeOut(sent));
    }

    private @Nullable String params(Call call) {
      return call.params() == null
          ? null
          : MemberSplice.with(
              call.params(), List.of(SubscriptionFilter.MEMBER), part.filter.json());
    }

    /** Ends the subscription to a source that has not answered in time. */
    private void timeOut(CompletableFuture<Response> sent) {
      if (isPending()) {
        end(
            new Ended.Failure(
                new UpstreamTimeout(
                    part.source.id(), part.upstream.endpoint(), part.source.answerMillis())));
        sent.cancel(false);
      }
    }

    private void end(Response response) {
      synchronized (this) {
        if (result != null) {
          return;
        }
        result = response;
      }
      parent.update();
    }

    /** Holds notifications back until the acknowledgement was sent. */
    @Override
    public CompletableFuture<Boolean> onMessage(byte[] message) {
      return switch (new MessageReader(MessageReader.DEPTH_MAX).read(message)) {
        case RpcMessage.Notification(var method, var params, _)
            when method.equals(McpMethod.NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED) -> {
          agreed(part.filter.agreedBy(List.of(SubscriptionFilter.of(ObjectMembers.of(params)))));
          yield CompletableFuture.completedFuture(true);
        }
        case RpcMessage _ ->
            parent.acknowledged.thenCompose(isAcknowledged ->
                isAcknowledged
                    ? parent.listener.onMessage(message)
                    : CompletableFuture.completedFuture(false));
      };
    }

    private void agreed(SubscriptionFilter newAgreed) {
      synchronized (this) {
        if (agreed != null || result != null) {
          return;
        }
        agreed = newAgreed;
      }
      parent.update();
    }

    /** Whether the source has neither agreed nor ended. */
    synchronized boolean isPending() {
      return agreed == null && result == null;
    }

    synchronized boolean isOver() {
      return result != null;
    }

    synchronized boolean hasAgreed() {
      return agreed != null;
    }

    /** What the source agreed to; empty once it has ended. */
    synchronized Optional<SubscriptionFilter> agreed() {
      return result == null ? Optional.ofNullable(agreed) : Optional.empty();
    }

    synchronized Response result() {
      return Objects.requireNonNull(result, "it is over");
    }
  }
}
