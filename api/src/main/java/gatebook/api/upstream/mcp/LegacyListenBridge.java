package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Session;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Has a caller of the stateless revisions hear a source of the older ones, in a conversation with
 * it that is this caller's alone, and ends when he goes.
 */
public final class LegacyListenBridge {

  /** What a source says that it can, and what callers call it that they want of it. */
  private static final Map<String, String> KINDS =
      Map.of(
          "toolsListChanged", "tools",
          "promptsListChanged", "prompts",
          "resourcesListChanged", "resources");

  private static final Map<String, String> TOLD =
      Map.of(
          "notifications/tools/list_changed", "toolsListChanged",
          "notifications/prompts/list_changed", "promptsListChanged",
          "notifications/resources/list_changed", "resourcesListChanged");

  private final Call call;
  private final String id;
  private final Aside aside;
  private final CompletableFuture<Response> response = new CompletableFuture<>();

  private LegacyListenBridge(Call call, String id, Aside aside) {
    this.call = call;
    this.id = id;
    this.aside = aside;
  }

  /** Begins as soon as there is a conversation; giving the response up ends it. */
  public static CompletableFuture<Response> of(
      CompletableFuture<Opening> opening, Call call, Aside aside) {
    if (call.id() == null) {
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    LegacyListenBridge legacyListenBridge = new LegacyListenBridge(call, call.id(), aside);
    legacyListenBridge.failing(opening.thenCompose(legacyListenBridge::opened));
    return legacyListenBridge.response;
  }

  private CompletableFuture<Void> opened(Opening opening) {
    return switch (opening) {
      case Opening.Opened(var session) -> begin(session);
      case Opening.None() -> over(refusal());
      case Opening.Failed(var failure) -> over(failure);
    };
  }

  private CompletableFuture<Void> over(Response with) {
    response.complete(with);
    return CompletableFuture.completedFuture(null);
  }

  private static Response refusal() {
    return new Ended.Failure(new MethodNotFound(CallTargets.LISTEN));
  }

  private CompletableFuture<Void> begin(Session session) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> session.close());
    return session
        .call(told("notifications/initialized"), Aside.NOBODY)
        .thenCompose(_ -> agreed(session))
        .thenCompose(agreed -> agreed.isNothing() ? over(refusal()) : begin(session, agreed));
  }

  private CompletableFuture<Void> begin(Session session, SubscriptionFilter agreed) {
    return aside
        .said(agreed.acknowledged(id))
        .thenAccept(_ -> {
          Runnable end = session.listen(message -> heard(agreed, message));
          CompletableFuture<Response> _ = response.whenComplete((_, _) -> end.run());
        });
  }

  /** What the source can tell of what is wanted. */
  private CompletableFuture<SubscriptionFilter> agreed(Session session) {
    ObjectMembers able = ObjectMembers.of(session.introduction()).members("capabilities");
    SubscriptionFilter subscriptionFilter = SubscriptionFilter.of(ObjectMembers.of(call.params()));
    List<String> kinds =
        subscriptionFilter.kinds().stream()
            .filter(kind -> isAble(able, KINDS.getOrDefault(kind, ""), "listChanged"))
            .toList();
    List<String> resources =
        isAble(able, "resources", "subscribe")
            ? subscriptionFilter.named().getOrDefault(SubscriptionFilter.RESOURCES, List.of())
            : List.of();
    return subscribed(session, resources, new ArrayList<>())
        .thenApply(those ->
            new SubscriptionFilter(
                kinds, those.isEmpty() ? Map.of() : Map.of(SubscriptionFilter.RESOURCES, those)));
  }

  private static boolean isAble(ObjectMembers able, String what, String how) {
    return able.members(what).json(how).filter("true"::equals).isPresent();
  }

  /** One after the other; those of which the source does not want to tell are left out. */
  private CompletableFuture<List<String>> subscribed(
      Session session, List<String> resources, List<String> agreed) {
    if (resources.isEmpty() || response.isDone()) {
      return CompletableFuture.completedFuture(agreed);
    }
    String params = "{\"uri\":%s}".formatted(quoted(resources.getFirst()));
    return session
        .call(new Call(null, "resources/subscribe", params, false, Map.of()), Aside.NOBODY)
        .thenCompose(subscribed -> {
          if (subscribed instanceof Ended.Result) {
            agreed.add(resources.getFirst());
          }
          return subscribed(session, resources.subList(1, resources.size()), agreed);
        });
  }

  /** Nothing else is said than what was agreed on. */
  private CompletableFuture<Boolean> heard(SubscriptionFilter agreed, byte[] message) {
    boolean isWanted =
        new MessageReader(MessageReader.DEPTH_MAX).read(message)
                instanceof RpcMessage.Notification(var method, _)
            && (method.equals(CallTargets.UPDATED)
                ? agreed.names(SubscriptionFilter.RESOURCES)
                : agreed.kinds().contains(TOLD.getOrDefault(method, "")));
    return isWanted
        ? aside.said(
            MemberSplice.with(
                message, List.of("params", "_meta", SubscriptionFilter.SUBSCRIPTION), id))
        : CompletableFuture.completedFuture(false);
  }

  private static Call told(String method) {
    return new Call(null, method, null, true, Map.of());
  }

  private void failing(CompletableFuture<Void> step) {
    CompletableFuture<Void> _ =
        step.whenComplete((_, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          }
        });
  }
}
