package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aReading;
import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.DuplicateSend;
import gatebook.api.a2a.message.MessageTurns.Turn;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.a2a.upstream.AgentIdLookup.Found;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.a2a.upstream.OwnedIds.CheckedAnswer;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.gateway.message.DialectHandler.ClientContext;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.agent.ToldIds;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The upstream of an agent for one call: the task and the context of an answer are recorded as
 * owned by the caller before it gets the answer, and it gets none with those of another caller.
 * What the caller was told while a message was held, the agent gets by its own ids.
 *
 * @param taskLists lists the caller's held messages
 * @param request how a call is read
 */
record OwnedAgentUpstream(
    Upstream delegate,
    ClientContext client,
    OwnAgentTasks owners,
    AgentTaskLists taskLists,
    ForwardedRequest request)
    implements Upstream.Delegating {

  /**
   * The request that an agent gets.
   *
   * @param reader reads the params of a call
   * @param turn of a message whose caller waits for the answer; empty for every other request
   * @param onTask takes the id of the task in an answer
   * @param held what the sender was told of the held message that the request is; empty for every
   *     other request
   * @param duplicate what the request reads the task of; empty for every other request
   */
  record ForwardedRequest(
      Function<Call, A2aReading> reader,
      Optional<Turn> turn,
      Consumer<String> onTask,
      Optional<ToldIds> held,
      Optional<DuplicateSend> duplicate) {}

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return call(call, listener, (_, _) -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    VersionedMethod method = A2aMethod.of(call.method()).orElseThrow();
    A2aReading reading = request.reader.apply(call);
    IdentifiedMessage message = UpstreamAgents.newTaskMessage(reading).orElse(null);
    request.turn.ifPresent(Turn::markSent);
    CompletableFuture<Response> response =
        CancellableStep.compose(
            new AgentIdLookup(source(), client.callId(), owners, request.held.orElse(ToldIds.NONE))
                .find(method, reading, NamedIds.of(call.params())),
            found ->
                switch (found) {
                  case Found.Refused(var fault) -> failure(fault);
                  case Found.Known known ->
                      mapped(
                          method,
                          reading,
                          call,
                          before,
                          known.mapping(),
                          ids(method, message, known));
                });
    CompletableFuture<Response> _ =
        response.whenComplete((_, _) -> request.turn.ifPresent(Turn::end));
    return goesOnAlone(method, message)
        ? response.thenApply(it -> it)
        : CancellableStep.after(response, it -> toCaller(it, call));
  }

  private Response toCaller(Response response, Call call) {
    return response instanceof Ended ended
        ? request
            .duplicate
            .map(duplicate -> duplicate.toCaller(ended, client.channel(), call.id()))
            .orElse(ended)
        : response;
  }

  /**
   * Whether the exchange goes on when the caller disconnects: its answer tells which task the
   * message has, should it be sent again.
   */
  private boolean goesOnAlone(VersionedMethod method, @Nullable IdentifiedMessage message) {
    return request.turn.isPresent() && message != null && method.method() == A2aMethod.SEND;
  }

  /** The answer to a held message is kept as the agent sent it. */
  private OwnedIds ids(
      VersionedMethod method, @Nullable IdentifiedMessage message, Found.Known known) {
    return new OwnedIds(
        new AgentAnswerIds(source(), method),
        client.callId(),
        owners,
        message,
        task -> {
          request.turn.ifPresent(Turn::end);
          request.onTask.accept(task);
        },
        request.held.isPresent() ? null : known.mapping(),
        known.told());
  }

  private CompletableFuture<Response> mapped(
      VersionedMethod method,
      A2aReading reading,
      Call call,
      BeforeAttempt before,
      IdMapping mapping,
      OwnedIds ids) {
    Call sent = mapping.toAgent(call);
    return CancellableStep.after(
        switch (method.method()) {
          case LIST -> listed(sent, UpstreamAgents.listRequest(reading), before, mapping);
          case STREAM, SUBSCRIBE -> streamed(sent, before, ids);
          case SEND, GET, CANCEL, CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
              CancellableStep.compose(
                  sent(sent, before),
                  response ->
                      response instanceof Ended.Result result
                          ? ids.check(result.json()).thenApply(it -> response(result, it))
                          : CompletableFuture.completedFuture(response));
        },
        mapping::toCaller);
  }

  private CompletableFuture<Response> listed(
      Call call, ListTasks list, BeforeAttempt before, IdMapping mapping) {
    return new AgentTaskPages(
            source(),
            owners,
            after -> taskLists.held(source(), list, owners, after),
            mapping,
            it -> sent(it, before))
        .page(call, list);
  }

  /** An agent sends nothing but its answer. */
  private CompletableFuture<Response> sent(Call call, BeforeAttempt before) {
    return delegate.call(call, new UsedExtensions(MessageListener.NONE, client.channel()), before);
  }

  private CompletableFuture<Response> streamed(Call call, BeforeAttempt before, OwnedIds ids) {
    OwnedItems items = new OwnedItems(ids, client.channel(), call.id());
    if (!items.canBeSent()) {
      return failure(new UnsupportedOperation(call.method(), "the transport has no streams"));
    }
    return CancellableStep.compose(
        delegate.call(call, new UsedExtensions(items, client.channel()), before),
        response ->
            response instanceof Ended.Streamed streamed && !streamed.lastSent()
                ? ids.check(streamed.last()).thenApply(it -> response(streamed, it))
                : CompletableFuture.completedFuture(items.response(response)));
  }

  private static Response response(Ended.Result result, CheckedAnswer checked) {
    return switch (checked) {
      case CheckedAnswer.Own(var json) -> result.withJson(json);
      case CheckedAnswer.Foreign(var fault) -> new Ended.Failure(fault);
    };
  }

  private static Response response(Ended.Streamed streamed, CheckedAnswer checked) {
    return switch (checked) {
      case CheckedAnswer.Own(var last) ->
          new Ended.Streamed(last, false, streamed.toolError(), streamed.stream());
      case CheckedAnswer.Foreign(var fault) -> new Ended.Failure(fault);
    };
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }

  private static CompletableFuture<Response> failure(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
