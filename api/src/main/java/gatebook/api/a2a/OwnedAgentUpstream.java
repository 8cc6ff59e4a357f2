package gatebook.api.a2a;

import gatebook.api.a2a.AgentTaskOwners.AnsweredTask;
import gatebook.api.a2a.MessageTurns.Turn;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.DialectHandler.ClientContext;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.GetAgentTaskOwner;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.TaskId;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The upstream of an agent for one call: the task and the context of an answer are recorded as
 * owned by the caller before it gets the answer, and it gets none with those of another caller.
 *
 * @param reader reads the params of a call
 * @param turn of a message whose caller waits for the answer; empty for every other request
 * @param onTask takes the id of the task in an answer
 */
record OwnedAgentUpstream(
    Upstream delegate,
    ClientContext client,
    AgentTaskOwners owners,
    Function<Upstream.Call, A2aReading> reader,
    Optional<Turn> turn,
    Consumer<String> onTask)
    implements Upstream.Delegating {
  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return call(call, listener, (_, _) -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    VersionedMethod method = A2aMethod.of(call.method()).orElseThrow();
    A2aReading reading = reader.apply(call);
    IdentifiedMessage message = UpstreamAgents.newTaskMessage(reading).orElse(null);
    OwnedIds ids =
        new OwnedIds(
            new AgentAnswerIds(source(), method),
            client,
            owners,
            message,
            task -> {
              turn.ifPresent(Turn::end);
              onTask.accept(task);
            });
    turn.ifPresent(Turn::markSent);
    CompletableFuture<Response> response = called(method, reading, call, before, ids);
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> turn.ifPresent(Turn::end));
    return goesOnAlone(method, message) ? response.thenApply(it -> it) : response;
  }

  /**
   * Whether the exchange goes on when the caller disconnects: its answer tells which task the
   * message has, should it be sent again.
   */
  private boolean goesOnAlone(VersionedMethod method, @Nullable IdentifiedMessage message) {
    return turn.isPresent() && message != null && method.method() == A2aMethod.SEND;
  }

  private CompletableFuture<Response> called(
      VersionedMethod method, A2aReading reading, Call call, BeforeAttempt before, OwnedIds ids) {
    return whole(
        claimed(method, call),
        fault ->
            fault
                .map(OwnedAgentUpstream::failure)
                .or(() ->
                    UpstreamAgents.heldTask(reading)
                        .map(task -> aliased(method, task, call, before, ids)))
                .orElseGet(() -> call(method, call, before, ids, UnaryOperator.identity())));
  }

  /**
   * Records the contexts that a request names as the caller's own before the agent gets it, those
   * of a list aside, which are only looked for. There is a fault if one is another caller's.
   */
  private CompletableFuture<Optional<Fault>> claimed(VersionedMethod method, Call call) {
    CompletableFuture<Optional<Fault>> claimed =
        CompletableFuture.completedFuture(Optional.empty());
    if (method.method() != A2aMethod.LIST) {
      for (String contextId : NamedIds.of(call.params()).contextIds()) {
        claimed =
            claimed.thenCompose(fault ->
                fault.isPresent() ? CompletableFuture.completedFuture(fault) : claimed(contextId));
      }
    }
    return claimed;
  }

  private CompletableFuture<Optional<Fault>> claimed(String contextId) {
    return owners
        .record(
            client.callId(),
            new AgentTaskKey(source(), null, contextId),
            null,
            client.principal(),
            client.snapshot().rules())
        .thenApply(recorded ->
            switch (recorded) {
              case CommandResult.Refused<Boolean> _ -> Optional.of(OwnedIds.UNRECORDED);
              case CommandResult.Stored<Boolean>(var isOwned) ->
                  isOwned ? Optional.empty() : Optional.of(new TaskNotFound(contextId));
            });
  }

  private CompletableFuture<Response> aliased(
      VersionedMethod method, TaskId task, Call call, BeforeAttempt before, OwnedIds ids) {
    return whole(
        owners.agentTask(source(), task, client.principal(), client.snapshot().rules()),
        found ->
            switch (found) {
              case CommandResult.Refused<Optional<AnsweredTask>> _ -> failure(OwnedIds.UNRECORDED);
              case CommandResult.Stored<Optional<AnsweredTask>>(var answered) ->
                  answered
                      .map(it -> aliased(new TaskAlias(method, task.text(), it), call, before, ids))
                      .orElseGet(() -> failure(new TaskNotFound(task.text())));
            });
  }

  private CompletableFuture<Response> aliased(
      TaskAlias alias, Call call, BeforeAttempt before, OwnedIds ids) {
    return whole(
        call(alias.method(), alias.toAgent(call), before, ids, alias::toCaller),
        response -> CompletableFuture.completedFuture(alias.toCaller(response)));
  }

  /** {@code toCaller} makes of an item of a stream what the caller gets. */
  private CompletableFuture<Response> call(
      VersionedMethod method,
      Call call,
      BeforeAttempt before,
      OwnedIds ids,
      UnaryOperator<String> toCaller) {
    return switch (method.method()) {
      case LIST -> then(sent(call, before), this::ownTasks);
      case STREAM, SUBSCRIBE -> streamed(call, before, ids, toCaller);
      case SEND, GET, CANCEL, CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
          then(
              sent(call, before),
              result -> ids.check(result.json()).thenApply(fault -> response(result, fault)));
    };
  }

  /** An agent sends nothing but its answer. */
  private CompletableFuture<Response> sent(Call call, BeforeAttempt before) {
    return delegate.call(call, new UsedExtensions(MessageListener.NONE, client.channel()), before);
  }

  private CompletableFuture<Response> streamed(
      Call call, BeforeAttempt before, OwnedIds ids, UnaryOperator<String> toCaller) {
    OwnedItems items = new OwnedItems(ids, toCaller, client.channel(), call.id());
    if (!items.canBeSent()) {
      return failure(new UnsupportedOperation(call.method(), "the transport has no streams"));
    }
    return whole(
        delegate.call(call, new UsedExtensions(items, client.channel()), before),
        response ->
            response instanceof Ended.Streamed streamed && !streamed.lastSent()
                ? ids.check(streamed.last()).thenApply(fault -> response(streamed, fault))
                : CompletableFuture.completedFuture(items.response(response)));
  }

  private static Response response(Ended ended, Optional<Fault> fault) {
    return fault.<Response>map(Ended.Failure::new).orElse(ended);
  }

  private static CompletableFuture<Response> then(
      CompletableFuture<Response> pending,
      Function<Ended.Result, CompletableFuture<Response>> next) {
    return whole(
        pending,
        response ->
            response instanceof Ended.Result result
                ? next.apply(result)
                : CompletableFuture.completedFuture(response));
  }

  /** Both steps, whichever of them is in progress when the future is cancelled. */
  private static <T> CompletableFuture<Response> whole(
      CompletableFuture<T> pending, Function<T, CompletableFuture<Response>> next) {
    CompletableFuture<Response> whole = new CompletableFuture<>();
    CompletableFuture<Response> _ = whole.whenComplete((_, _) -> pending.cancel(false));
    CompletableFuture<Response> _ =
        pending
            .thenCompose(value -> {
              CompletableFuture<Response> step = next.apply(value);
              CompletableFuture<Response> _ = whole.whenComplete((_, _) -> step.cancel(false));
              return step;
            })
            .whenComplete((response, failure) -> {
              if (failure == null) {
                whole.complete(response);
              } else {
                whole.completeExceptionally(failure);
              }
            });
    return whole;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }

  /** Leaves out the tasks of others, and how many there are. */
  private CompletableFuture<Response> ownTasks(Ended.Result result) {
    ObjectMembers page = ObjectMembers.of(result.json());
    List<CompletableFuture<CommandResult<Stream<String>>>> each =
        page.json("tasks").flatMap(ArrayElements::of).orElse(List.of()).stream()
            .map(this::ifOwn)
            .toList();
    return FutureList.all(each).thenApply(tasks -> ownPage(page, tasks));
  }

  private CompletableFuture<CommandResult<Stream<String>>> ifOwn(String task) {
    AgentTaskKey key =
        new AgentTaskKey(source(), AgentAnswerIds.id(ObjectMembers.of(task), "id"), null);
    return owners
        .find(key, client.principal(), client.snapshot().rules())
        .thenApply(found ->
            switch (found) {
              case CommandResult.Refused<GetAgentTaskOwner.Result>(var refusal) ->
                  new CommandResult.Refused<>(refusal);
              case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) ->
                  new CommandResult.Stored<>(
                      owner.isOwned() && key.taskId() != null ? Stream.of(task) : Stream.of());
            });
  }

  private static Ended ownPage(ObjectMembers page, List<CommandResult<Stream<String>>> tasks) {
    if (tasks.stream().anyMatch(task -> task instanceof CommandResult.Refused<Stream<String>>)) {
      return new Ended.Failure(OwnedIds.UNRECORDED);
    }
    List<String> own =
        tasks.stream()
            .flatMap(task ->
                task instanceof CommandResult.Stored<Stream<String>>(var it)
                    ? it
                    : Stream.<String>of())
            .toList();
    return new Ended.Result(
        AgentTaskJson.page(
            own,
            page.text("nextPageToken").orElse(""),
            page.json("pageSize").orElse(String.valueOf(own.size())),
            own.size()),
        false);
  }

  private static CompletableFuture<Response> failure(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
