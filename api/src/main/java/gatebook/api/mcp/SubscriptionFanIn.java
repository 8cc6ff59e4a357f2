package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
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
 * Several sources that somebody wants to hear, as one.
 *
 * <p>Each is asked for what concerns it. As soon as each has agreed, refused, or kept silent for as
 * long as it may take to answer, the caller is told once what all of them agreed to; from then on
 * he hears them as they speak. One that refuses or ends takes nothing from the others; it is over
 * when none is left, or the caller has gone.
 */
final class SubscriptionFanIn implements Upstream.OnBehalf {

  private final Upstream outside;
  private final SubscriptionFilter subscriptionFilter;
  private final List<Part> parts;

  /** What one source is asked for. */
  record Part(Source source, Upstream upstream, SubscriptionFilter wanted) {}

  /**
   * Asks nobody yet.
   *
   * @param outside one of them, which speaks for all when all refuse
   * @param subscriptionFilter by the caller
   */
  SubscriptionFanIn(Upstream outside, SubscriptionFilter subscriptionFilter, List<Part> parts) {
    this.outside = outside;
    this.subscriptionFilter = subscriptionFilter;
    this.parts = List.copyOf(parts);
  }

  @Override
  public Upstream outside() {
    return outside;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return outside.tools();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    if (call.id() == null) {
      // whoever wants no answer hears nothing either
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    Hearing hearing = new Hearing(call, call.id(), aside);
    hearing.begin();
    return hearing.response;
  }

  /** What one caller hears, from the first word to the last. */
  private final class Hearing {
    private final Call call;
    private final String id;
    private final Aside aside;
    private final List<Voice> voices;
    private final CompletableFuture<Response> response = new CompletableFuture<>();

    /** Completed when the caller was told what was agreed. */
    private final CompletableFuture<Boolean> acknowledged = new CompletableFuture<>();

    private boolean isAgreed;

    Hearing(Call call, String id, Aside aside) {
      this.call = call;
      this.id = id;
      this.aside = aside;
      this.voices = parts.stream().map(part -> new Voice(this, part)).toList();
    }

    void begin() {
      voices.forEach(Voice::begin);
    }

    /** Looks what there is to be told after one of them has said or done something. */
    void look() {
      if (isAgreedNow()) {
        CompletableFuture<Boolean> _ =
            aside
                .said(acknowledgement())
                .whenComplete((isTaken, failure) ->
                    acknowledged.complete(failure == null && Boolean.TRUE.equals(isTaken)));
      }
      if (voices.stream().allMatch(Voice::isOver)) {
        over();
      }
    }

    /** Whether all is known for the first time, and there is something to agree to. */
    private synchronized boolean isAgreedNow() {
      boolean isFirst =
          !isAgreed
              && voices.stream().noneMatch(Voice::isOpen)
              && voices.stream().anyMatch(Voice::hasAgreed);
      isAgreed |= isFirst;
      return isFirst;
    }

    private synchronized boolean isAgreed() {
      return isAgreed;
    }

    private byte[] acknowledgement() {
      return subscriptionFilter
          .agreedBy(voices.stream().flatMap(it -> it.agreed().stream()).toList())
          .acknowledged(id);
    }

    /** The caller is told what he hears before he is told that there is nothing more to hear. */
    private void over() {
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
      Voice voice =
          voices.stream()
              .filter(it -> it.part.source.id().equals(outside.source()))
              .findFirst()
              .orElse(voices.getFirst());
      return Upstream.ended(voice.part.source, voice.ending());
    }
  }

  /** One source, as one caller hears it. */
  private static final class Voice implements Upstream.Aside {
    private final Hearing hearing;
    private final Part part;
    private @Nullable SubscriptionFilter agreed;
    private @Nullable Response ending;

    Voice(Hearing hearing, Part part) {
      this.hearing = hearing;
      this.part = part;
    }

    void begin() {
      Call call = hearing.call;
      CompletableFuture<Response> heard =
          part.upstream.call(
              new Call(call.id(), call.method(), params(call), false, call.headers()), this);
      CompletableFuture<Response> _ = hearing.response.whenComplete((_, _) -> heard.cancel(false));
      CompletableFuture<Response> _ =
          heard.whenComplete((response, failure) -> {
            if (failure == null) {
              ended(response);
            } else if (!isOver()) { // else it was given up
              hearing.response.completeExceptionally(failure);
            }
          });
      CompletableFuture<Void> _ =
          new CompletableFuture<@Nullable Void>()
              .completeOnTimeout(null, part.source.answerMillis(), TimeUnit.MILLISECONDS)
              .thenRun(() -> late(heard));
    }

    private @Nullable String params(Call call) {
      return call.params() == null
          ? null
          : MemberSplice.with(
              call.params(), List.of(SubscriptionFilter.MEMBER), part.wanted.json());
    }

    /** One that has not agreed by now is not waited for any longer. */
    private void late(CompletableFuture<Response> heard) {
      if (isOpen()) {
        ended(
            new Ended.Failure(
                new UpstreamTimeout(
                    part.source.id(), part.upstream.endpoint(), part.source.answerMillis())));
        heard.cancel(false);
      }
    }

    private void ended(Response response) {
      synchronized (this) {
        if (ending != null) {
          return;
        }
        ending = response;
      }
      hearing.look();
    }

    /** Nothing is heard of it before the caller knows what he hears. */
    @Override
    public CompletableFuture<Boolean> said(byte[] message) {
      return switch (new MessageReader(MessageReader.DEPTH_MAX).read(message)) {
        case RpcMessage.Notification(var method, var params)
            when method.equals(SubscriptionFilter.ACKNOWLEDGED) -> {
          agreed(part.wanted.agreedBy(List.of(SubscriptionFilter.of(ObjectMembers.of(params)))));
          yield CompletableFuture.completedFuture(true);
        }
        case RpcMessage _ ->
            hearing.acknowledged.thenCompose(isHeard ->
                isHeard ? hearing.aside.said(message) : CompletableFuture.completedFuture(false));
      };
    }

    private void agreed(SubscriptionFilter newAgreed) {
      synchronized (this) {
        if (agreed != null || ending != null) {
          return;
        }
        agreed = newAgreed;
      }
      hearing.look();
    }

    /** Whether nobody knows yet what becomes of it. */
    synchronized boolean isOpen() {
      return agreed == null && ending == null;
    }

    synchronized boolean isOver() {
      return ending != null;
    }

    synchronized boolean hasAgreed() {
      return agreed != null;
    }

    /** What it agreed to, and still says. */
    synchronized Optional<SubscriptionFilter> agreed() {
      return ending == null ? Optional.ofNullable(agreed) : Optional.empty();
    }

    synchronized Response ending() {
      return Objects.requireNonNull(ending, "it is over");
    }
  }
}
