package gatebook.api.a2a;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.DialectHandler.ClientContext;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.GetAgentTaskOwner;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The upstream of an agent for one call: the task and the context of an answer are recorded as
 * owned by the caller before it gets the answer, and it gets none with those of another caller.
 */
record OwnedAgentUpstream(Upstream delegate, ClientContext client, AgentTaskOwners owners)
    implements Upstream.Delegating {
  private static final Fault UNRECORDED = new ServiceUnavailable(Cause.JOURNAL, null);

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return call(call, listener, (_, _) -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    CompletableFuture<Response> pending = delegate.call(call, listener, before);
    CompletableFuture<Response> owned =
        pending.thenCompose(response ->
            response instanceof Ended.Result result
                ? owned(call.method(), result)
                : CompletableFuture.completedFuture(response));
    CompletableFuture<Response> _ = owned.whenComplete((_, _) -> pending.cancel(false));
    return owned;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }

  private CompletableFuture<Response> owned(String method, Ended.Result result) {
    boolean isList = A2aMethod.of(method).filter(it -> it.method() == A2aMethod.LIST).isPresent();
    return isList ? ownTasks(result) : recorded(result);
  }

  private CompletableFuture<Response> recorded(Ended.Result result) {
    AgentTaskKey key = key(result.json());
    if (key.taskId() == null && key.contextId() == null) {
      return CompletableFuture.completedFuture(result);
    }
    return isTooLong(key.taskId()) || isTooLong(key.contextId())
        ? failure(new InvalidAgentResponse(source(), "an id is too long"))
        : owners
            .record(client.callId(), key, client.principal(), client.snapshot().rules())
            .thenApply(outcome ->
                switch (outcome) {
                  case CommandResult.Refused<Boolean> _ -> new Ended.Failure(UNRECORDED);
                  case CommandResult.Stored<Boolean>(var isOwned) ->
                      isOwned
                          ? result
                          : new Ended.Failure(
                              new InvalidAgentResponse(
                                  source(), "the answer has the id of another task"));
                });
  }

  /** The ids in an answer, which is a task, a message, or a wrapper of one of them. */
  private AgentTaskKey key(String json) {
    ObjectMembers bare = ObjectMembers.of(json);
    Optional<String> wrapped = bare.json("task").or(() -> bare.json("message"));
    ObjectMembers members = wrapped.map(ObjectMembers::of).orElse(bare);
    return new AgentTaskKey(
        source(),
        members.text("messageId").isPresent() ? id(members, "taskId") : id(members, "id"),
        id(members, "contextId"));
  }

  private static @Nullable String id(ObjectMembers members, String name) {
    return members.text(name).filter(id -> !id.isEmpty()).orElse(null);
  }

  /** Callers could not send a longer one. */
  private static boolean isTooLong(@Nullable String id) {
    return id != null && id.length() > A2aMembers.ID_CHARS_MAX;
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
    AgentTaskKey key = new AgentTaskKey(source(), id(ObjectMembers.of(task), "id"), null);
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
      return new Ended.Failure(UNRECORDED);
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
