package gatebook.api.gateway;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskStatus;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the methods of one dialect mean. */
public interface DialectHandler {

  Dialect dialect();

  /** What a call wants. */
  Intent aim(Asking asking);

  /** Whether a call would act on something if there were rules; asked when there are none. */
  default boolean mayAct(Intent intent) {
    return intent instanceof Intent.Act;
  }

  /** The parameter that names what a call acts on. */
  default String targetParam(Asking asking) {
    return "name";
  }

  /** The part of the params that a target is given, as it was sent. */
  Optional<String> arguments(Asking asking);

  /** The answer to a method that is answered here. */
  CompletableFuture<Ended> answer(Asking asking, Setting setting);

  /** How the caller can come back for the outcome of a call that has to wait; empty: he cannot. */
  default Optional<Deferral> deferral(Asking asking, UUID callId) {
    return Optional.empty();
  }

  /** What he is told instead of the answer, as the text of a result. */
  default String deferred(Asking asking, TaskStatus.Known standing) {
    throw new IllegalStateException("nobody comes back in this dialect");
  }

  /**
   * Whether a call that another process left would go to the same source here, so that it can be
   * gone on with.
   *
   * @param rulesHash of the rules under which a person was asked about it
   */
  default boolean goesOnHere(CallReceived call, String rulesHash, Rules rules) {
    return false;
  }

  /** What a source is sent of the params of a call whose caller comes back. */
  default @Nullable String onward(@Nullable String params) {
    return params;
  }

  /** Who answers for a source when a call goes to it. */
  default Upstream upstream(Asking asking, Source source, Party party) {
    return party.conversation().upstream(party.ground(), source);
  }

  /** Hears, before the caller does, how a call ended that went to a source. */
  default void ended(Asking asking, Source source, String principal, Ended ended) {}

  /** What becomes of a notification that is recorded, and goes to no source. */
  default void taken(Asking asking, Setting setting) {}

  /**
   * Who asks.
   *
   * @param principal his name
   */
  record Party(String principal, RoutingSnapshot ground, ClientChannel conversation) {}

  /**
   * What surrounds a call.
   *
   * @param principal the name of whoever asks
   * @param id the token of its id; absent when no answer is wanted
   * @param headers what the caller sent that goes on to sources
   * @param sources answer what no gate governs
   * @param tasks of the caller
   */
  record Setting(
      UUID callId,
      String principal,
      RoutingSnapshot ground,
      @Nullable String id,
      Map<String, String> headers,
      ClientChannel conversation,
      Sources sources,
      CallerTasks tasks) {
    public Setting {
      headers = Map.copyOf(headers);
    }

    /** Of a caller who asks on his own. */
    public static Setting of(RoutingSnapshot routingSnapshot) {
      return new Setting(
          new UUID(0, 0),
          "",
          routingSnapshot,
          null,
          Map.of(),
          ClientChannel.NONE,
          (source, method, params) ->
              routingSnapshot
                  .upstream(source)
                  .call(new Upstream.Call(null, method, params, false, Map.of()), Aside.NOBODY)
                  .thenApply(response -> Upstream.ended(source, response)),
          CallerTasks.NONE);
    }
  }

  /** Asks a source on behalf of the caller; its own errors come back as faults. */
  @FunctionalInterface
  interface Sources {
    CompletableFuture<Ended> ask(Source source, String method, @Nullable String params);
  }

  /**
   * A call as its dialect sees it.
   *
   * @param params the text of an object or array as it was sent; absent where there was none
   * @param members those of the params
   * @param version of the dialect that the caller says it speaks; absent when it says none
   * @param headers that came with it, by their names in lower case; absent when nobody knows
   */
  record Asking(
      String method,
      @Nullable String params,
      ObjectMembers members,
      @Nullable String version,
      Rules rules,
      @Nullable Map<String, String> headers) {

    /** A recorded call once more, with the params that it came with. */
    public static Asking of(CallReceived call, @Nullable String params, Rules rules) {
      return new Asking(
          call.method(), params, ObjectMembers.of(params), call.dialectVersion(), rules);
    }

    /** A call of which nothing else is known. */
    public Asking(
        String method,
        @Nullable String params,
        ObjectMembers members,
        @Nullable String version,
        Rules rules) {
      this(method, params, members, version, rules, null);
    }
  }
}
