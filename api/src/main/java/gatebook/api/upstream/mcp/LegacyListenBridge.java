package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Session;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Bridges {@code subscriptions/listen} of a stateless caller to a source of a legacy revision. The
 * caller gets a session of its own with the source, which ends with the subscription.
 */
public final class LegacyListenBridge {

  /** The capability that a source must have, by the kind of change that callers subscribe to. */
  private static final Map<String, String> KINDS =
      Map.of(
          "toolsListChanged", "tools",
          "promptsListChanged", "prompts",
          "resourcesListChanged", "resources");

  private static final Map<String, String> NOTIFICATIONS =
      Map.of(
          McpMethod.NOTIFICATIONS_TOOLS_LIST_CHANGED, "toolsListChanged",
          McpMethod.NOTIFICATIONS_PROMPTS_LIST_CHANGED, "promptsListChanged",
          McpMethod.NOTIFICATIONS_RESOURCES_LIST_CHANGED, "resourcesListChanged");

  private final Call call;
  private final String id;
  private final MessageListener listener;
  private final CompletableFuture<Response> response = new CompletableFuture<>();

  private LegacyListenBridge(Call call, String id, MessageListener listener) {
    this.call = call;
    this.id = id;
    this.listener = listener;
  }

  /** Subscribes as soon as the session is open; cancelling the response ends the session. */
  public static CompletableFuture<Response> listen(
      CompletableFuture<Opening> opening, Call call, MessageListener listener) {
    if (call.id() == null) {
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    LegacyListenBridge legacyListenBridge = new LegacyListenBridge(call, call.id(), listener);
    legacyListenBridge.failWith(opening.thenCompose(legacyListenBridge::onOpening));
    return legacyListenBridge.response;
  }

  private CompletableFuture<Void> onOpening(Opening opening) {
    return switch (opening) {
      case Opening.Opened(var session) -> subscribe(session);
      case Opening.None() -> end(refusal());
      case Opening.Failed(var failure) -> end(failure);
    };
  }

  private CompletableFuture<Void> end(Response with) {
    response.complete(with);
    return CompletableFuture.completedFuture(null);
  }

  private static Response refusal() {
    return new Ended.Failure(new MethodNotFound(McpMethod.SUBSCRIPTIONS_LISTEN));
  }

  private CompletableFuture<Void> subscribe(Session session) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> session.close());
    return session
        .call(notification(McpMethod.NOTIFICATIONS_INITIALIZED), MessageListener.NONE)
        .thenCompose(_ -> negotiate(session))
        .thenCompose(agreed -> agreed.isEmpty() ? end(refusal()) : subscribe(session, agreed));
  }

  private CompletableFuture<Void> subscribe(Session session, SubscriptionFilter agreed) {
    return listener
        .onMessage(agreed.acknowledgement(id))
        .thenAccept(_ -> {
          Runnable end = session.listen(message -> forward(agreed, message));
          CompletableFuture<Response> _ = response.whenComplete((_, _) -> end.run());
        });
  }

  /** The part of the subscription that the source supports. */
  private CompletableFuture<SubscriptionFilter> negotiate(Session session) {
    ObjectMembers capabilities =
        ObjectMembers.of(session.initializeResult()).members("capabilities");
    SubscriptionFilter subscriptionFilter = SubscriptionFilter.of(call.members());
    List<String> kinds =
        subscriptionFilter.kinds().stream()
            .filter(
                kind -> hasCapability(capabilities, KINDS.getOrDefault(kind, ""), "listChanged"))
            .toList();
    List<String> resources =
        hasCapability(capabilities, "resources", "subscribe")
            ? subscriptionFilter.named().getOrDefault(SubscriptionFilter.RESOURCES, List.of())
            : List.of();
    return subscribeAll(session, resources, new ArrayList<>())
        .thenApply(subscribed ->
            new SubscriptionFilter(
                kinds,
                subscribed.isEmpty()
                    ? Map.of()
                    : Map.of(SubscriptionFilter.RESOURCES, subscribed)));
  }

  private static boolean hasCapability(ObjectMembers capabilities, String what, String how) {
    return capabilities.members(what).json(how).filter("true"::equals).isPresent();
  }

  /** Subscribes to one resource after the other; those that the source refuses are left out. */
  private CompletableFuture<List<String>> subscribeAll(
      Session session, List<String> resources, List<String> agreed) {
    if (resources.isEmpty() || response.isDone()) {
      return CompletableFuture.completedFuture(agreed);
    }
    String params = "{\"uri\":%s}".formatted(quoted(resources.getFirst()));
    return session
        .call(
            new Call(null, McpMethod.RESOURCES_SUBSCRIBE, params, false, Map.of()),
            MessageListener.NONE)
        .thenCompose(subscribed -> {
          if (subscribed instanceof Ended.Result) {
            agreed.add(resources.getFirst());
          }
          return subscribeAll(session, resources.subList(1, resources.size()), agreed);
        });
  }

  /** Forwards a notification that was agreed on, and drops all others. */
  private CompletableFuture<Boolean> forward(SubscriptionFilter agreed, byte[] message) {
    boolean isSubscribed =
        new MessageReader(MessageReader.DEPTH_MAX).read(message)
                instanceof RpcMessage.Notification(var method, _, _)
            && (method.equals(McpMethod.NOTIFICATIONS_RESOURCES_UPDATED)
                ? agreed.hasMember(SubscriptionFilter.RESOURCES)
                : agreed.kinds().contains(NOTIFICATIONS.getOrDefault(method, "")));
    return isSubscribed
        ? listener.onMessage(
            MemberSplice.with(
                message, List.of("params", "_meta", SubscriptionFilter.SUBSCRIPTION), id))
        : CompletableFuture.completedFuture(false);
  }

  private static Call notification(String method) {
    return new Call(null, method, null, true, Map.of());
  }

  private void failWith(CompletableFuture<Void> step) {
    CompletableFuture<Void> _ =
        step.whenComplete((_, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          }
        });
  }
}
