package gatebook.api.gateway.message;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import gatebook.events.call.Correlation;
import gatebook.events.call.Dialect;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handler of one dialect: knows what its methods mean, and answers those that go to no source. */
public interface DialectHandler {
  Dialect dialect();

  /** What a call wants. */
  Intent intent(DialectCall dialectCall);

  /** What a recorded call wanted, with its original params; mostly what it would want now. */
  default Intent recordedIntent(CallReceived recorded, DialectCall dialectCall) {
    return intent(dialectCall);
  }

  /**
   * What a call that would act on something wants, given what the journal and the sources know of
   * it: mostly the same. It may be refused before a gate decides it.
   *
   * @param principal the name of the caller
   */
  default CompletableFuture<Intent> checkedIntent(
      DialectCall dialectCall, Intent.Act act, String principal) {
    return CompletableFuture.completedFuture(act);
  }

  /**
   * Whether a call would act on something, or list something, if there were rules; used when there
   * are none.
   */
  default boolean mayAct(DialectCall dialectCall, Intent intent) {
    return intent instanceof Intent.Act;
  }

  /** The parameter that names what a call acts on. */
  default String targetParam(DialectCall dialectCall) {
    return "name";
  }

  /**
   * What a method does, in the words of the dialect's newest version; empty when it has one name.
   */
  default Optional<String> operation(String method) {
    return Optional.empty();
  }

  /** What a call is about besides its target. */
  default CallSubject subject(DialectCall dialectCall) {
    return McpMethod.isAboutTasks(dialectCall.method())
        ? CallSubject.ofTask(dialectCall.members().text("taskId"))
        : CallSubject.NONE;
  }

  /** The part of the params that is passed to the target, as it was sent. */
  Optional<String> arguments(DialectCall dialectCall);

  /** Answers a method that goes to no source. */
  CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext);

  /** How the caller can fetch the outcome of a call that has to wait; empty when it cannot. */
  default Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    return Optional.empty();
  }

  /** The JSON of the result that a deferred call returns instead of its outcome. */
  default String deferredResult(DialectCall dialectCall, TaskStatus.Known status) {
    throw new IllegalStateException("no call is deferred in this dialect");
  }

  /**
   * Whether a call that another process left open would go to the same source here, so that this
   * process can continue it.
   *
   * @param rulesHash of the rules under which approval was requested
   */
  default boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return false;
  }

  /** How long the sender of a call waits for the outcome of its task; not at all by default. */
  default long taskWaitMillis(DialectCall dialectCall) {
    return 0;
  }

  /** How a call goes to its source. */
  default SourceRoute route(DialectCall dialectCall, Source source, ClientContext clientContext) {
    return new SourceRoute(
        clientContext.channel().upstream(clientContext.snapshot(), source),
        dialectCall.method(),
        dialectCall.params());
  }

  /** How a call that runs in the background goes to its source. */
  default SourceRoute backgroundRoute(
      ReceiveCall call, TaskCreated task, Source source, ClientContext clientContext) {
    return new SourceRoute(clientContext.snapshot().upstream(source), call.method(), call.params());
  }

  /** Receives a notification that is recorded, and goes to no source. */
  default void onNotification(DialectCall dialectCall, AnswerContext answerContext) {}

  /** Observes the calls of the dialect. */
  default CallObserver observer() {
    return CallObserver.NONE;
  }

  /** The upstream of a source and the request that it gets; without params where there are none. */
  record SourceRoute(Upstream upstream, String method, @Nullable String params) {

    /** The same upstream with another request. */
    public SourceRoute withRequest(String otherMethod, @Nullable String otherParams) {
      return new SourceRoute(upstream, otherMethod, otherParams);
    }

    /** Another upstream with the same request. */
    public SourceRoute withUpstream(Upstream other) {
      return new SourceRoute(other, method, params);
    }
  }

  /**
   * The client of a call.
   *
   * @param principal its name
   */
  record ClientContext(
      UUID callId, String principal, RoutingSnapshot snapshot, ClientChannel channel) {}

  /**
   * The context of a call that is answered here.
   *
   * @param correlationId of the call
   * @param principal the caller's name
   * @param id the token of the call's id; absent when no response is wanted
   * @param headers those of the caller that go on to sources
   * @param sources sends what no gate governs
   * @param tasks of the caller
   */
  record AnswerContext(
      UUID callId,
      String correlationId,
      String principal,
      RoutingSnapshot snapshot,
      @Nullable String id,
      Map<String, String> headers,
      ClientChannel channel,
      SourceClient sources,
      CallerTasks tasks) {
    public AnswerContext {
      headers = Map.copyOf(headers);
    }

    /** What the calls that this one causes have in common with it. */
    public Correlation correlation() {
      return new Correlation(
          correlationId, headers.get(TraceContext.PARENT), headers.get(TraceContext.STATE));
    }

    /** The context of a call without a caller, a channel and tasks. */
    public static AnswerContext of(RoutingSnapshot routingSnapshot) {
      return new AnswerContext(
          new UUID(0, 0),
          "",
          "",
          routingSnapshot,
          null,
          Map.of(),
          ClientChannel.NONE,
          (source, method, params) ->
              routingSnapshot
                  .upstream(source)
                  .call(
                      new Upstream.Call(null, method, params, false, Map.of()),
                      MessageListener.NONE)
                  .thenApply(response -> Upstream.ended(source, response)),
          CallerTasks.NONE);
    }
  }

  /** Sends requests to a source on behalf of the caller; the source's own errors become faults. */
  @FunctionalInterface
  interface SourceClient {
    CompletableFuture<Ended> send(Source source, String method, @Nullable String params);
  }

  /**
   * A call as its dialect sees it.
   *
   * @param params the text of an object or array as it was sent; absent where there was none
   * @param members those of the params
   * @param version of the dialect that the caller declared; absent when it declared none
   * @param headers that came with it, by their names in lower case; absent when they are unknown
   * @param agent that the caller addressed; absent when it addressed none
   * @param reading that no other call has
   */
  record DialectCall(
      String method,
      @Nullable String params,
      ObjectMembers members,
      @Nullable String version,
      Rules rules,
      @Nullable Map<String, String> headers,
      @Nullable String agent,
      DialectReading reading) {

    /**
     * What the dialect makes of this call: the reader reads it when that is first needed.
     *
     * @param type the same for every call of one dialect
     */
    public <T> T read(Class<T> type, Function<DialectCall, T> reader) {
      return reading.get(type, () -> reader.apply(this));
    }

    /** A recorded call, with its original params. */
    public static DialectCall of(CallReceived call, @Nullable String params, Rules rules) {
      return of(call, params, ObjectMembers.of(params), rules);
    }

    /** The same with members of the params that were read before. */
    public static DialectCall of(
        CallReceived call, @Nullable String params, ObjectMembers members, Rules rules) {
      return new DialectCall(
          call.method(),
          params,
          members,
          call.dialectVersion(),
          rules,
          null,
          call.agent(),
          new DialectReading());
    }

    /** A call that addresses no agent, and whose headers are unknown. */
    public DialectCall(
        String method,
        @Nullable String params,
        ObjectMembers members,
        @Nullable String version,
        Rules rules) {
      this(method, params, members, version, rules, null, null, new DialectReading());
    }
  }
}
