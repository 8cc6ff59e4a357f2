package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.Splicing;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Leg;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Has a caller of the stateless revisions hear a source of the older ones, in a conversation with
 * it that is this caller's alone, and ends when he goes.
 */
final class Overhearing {

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

  private Overhearing(Call call, String id, Aside aside) {
    this.call = call;
    this.id = id;
    this.aside = aside;
  }

  /** Begins as soon as there is a conversation; giving the response up ends it. */
  static CompletableFuture<Response> of(
      CompletableFuture<Opening> opening, Call call, Aside aside) {
    if (call.id() == null) {
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    Overhearing overhearing = new Overhearing(call, call.id(), aside);
    overhearing.failing(opening.thenCompose(overhearing::opened));
    return overhearing.response;
  }

  private CompletableFuture<Void> opened(Opening opening) {
    return switch (opening) {
      case Opening.Opened(var leg) -> begin(leg);
      case Opening.None() -> over(refusal());
      case Opening.Failed(var failure) -> over(failure);
    };
  }

  private CompletableFuture<Void> over(Response with) {
    response.complete(with);
    return CompletableFuture.completedFuture(null);
  }

  private static Response refusal() {
    return new Ended.Failure(new MethodNotFound(Names.LISTEN));
  }

  private CompletableFuture<Void> begin(Leg leg) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> leg.close());
    return leg.call(told("notifications/initialized"), Aside.NOBODY)
        .thenCompose(_ -> agreed(leg))
        .thenCompose(agreed -> agreed.isNothing() ? over(refusal()) : begin(leg, agreed));
  }

  private CompletableFuture<Void> begin(Leg leg, Wanted agreed) {
    return aside
        .said(agreed.acknowledged(id))
        .thenAccept(_ -> {
          Runnable end = leg.listen(message -> heard(agreed, message));
          CompletableFuture<Response> _ = response.whenComplete((_, _) -> end.run());
        });
  }

  /** What the source can tell of what is wanted. */
  private CompletableFuture<Wanted> agreed(Leg leg) {
    Members able = Members.of(leg.introduction()).members("capabilities");
    Wanted wanted = Wanted.of(Members.of(call.params()));
    List<String> kinds =
        wanted.kinds().stream()
            .filter(kind -> isAble(able, KINDS.getOrDefault(kind, ""), "listChanged"))
            .toList();
    List<String> resources =
        isAble(able, "resources", "subscribe")
            ? wanted.named().getOrDefault(Wanted.RESOURCES, List.of())
            : List.of();
    return subscribed(leg, resources, new ArrayList<>())
        .thenApply(those ->
            new Wanted(kinds, those.isEmpty() ? Map.of() : Map.of(Wanted.RESOURCES, those)));
  }

  private static boolean isAble(Members able, String what, String how) {
    return able.members(what).json(how).filter("true"::equals).isPresent();
  }

  /** One after the other; those of which the source does not want to tell are left out. */
  private CompletableFuture<List<String>> subscribed(
      Leg leg, List<String> resources, List<String> agreed) {
    if (resources.isEmpty() || response.isDone()) {
      return CompletableFuture.completedFuture(agreed);
    }
    String params = "{\"uri\":%s}".formatted(quoted(resources.getFirst()));
    return leg.call(new Call(null, "resources/subscribe", params, false, Map.of()), Aside.NOBODY)
        .thenCompose(subscribed -> {
          if (subscribed instanceof Ended.Result) {
            agreed.add(resources.getFirst());
          }
          return subscribed(leg, resources.subList(1, resources.size()), agreed);
        });
  }

  /** Nothing else is said than what was agreed on. */
  private CompletableFuture<Boolean> heard(Wanted agreed, byte[] message) {
    boolean isWanted =
        new MessageReader(MessageReader.DEPTH_MAX).read(message)
                instanceof Message.Notification(var method, _)
            && (method.equals(Names.UPDATED)
                ? agreed.names(Wanted.RESOURCES)
                : agreed.kinds().contains(TOLD.getOrDefault(method, "")));
    return isWanted
        ? aside.said(Splicing.with(message, List.of("params", "_meta", Wanted.SUBSCRIPTION), id))
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
