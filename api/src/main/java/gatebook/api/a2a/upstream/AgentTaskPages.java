package gatebook.api.a2a.upstream;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.AgentTaskJson;
import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.upstream.AgentTaskLists.HeldTask;
import gatebook.api.a2a.upstream.AgentTaskLists.HeldTasks;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.ToldIds;
import gatebook.command.call.task.TaskStatus;
import gatebook.query.calls.CallTaskCursor;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pages of an agent's tasks that are the caller's own, with the caller's held messages among them,
 * the latest status first. A page has no more tasks than the caller wants: where held messages take
 * places on it, the agent is asked again for fewer.
 *
 * @param heldTasks the held messages after a cursor
 * @param idMapping of the request
 * @param agent sends a call to the agent
 */
record AgentTaskPages(
    String source,
    OwnAgentTasks owners,
    Function<Optional<CallTaskCursor>, CompletableFuture<HeldTasks>> heldTasks,
    IdMapping idMapping,
    Function<Call, CompletableFuture<Response>> agent) {

  /**
   * A task of the agent.
   *
   * @param json absent when the caller does not get it
   * @param heldId of the held message that it was; absent when it was none
   * @param changedAt when it entered its state; absent when the agent does not say
   */
  private record AgentTask(
      @Nullable String json, @Nullable String heldId, @Nullable Instant changedAt) {}

  /** A page of the agent, whose own size may be absent. */
  private record AgentPage(List<AgentTask> tasks, String nextToken, @Nullable String pageSize) {
    static final AgentPage NONE = new AgentPage(List.of(), "", null);
  }

  CompletableFuture<Response> page(Call call, ListTasks request) {
    AgentPageToken token = AgentPageToken.of(request.pageToken());
    CompletableFuture<HeldTasks> held =
        token.hasHeld()
            ? heldTasks.apply(token.heldAfter())
            : CompletableFuture.completedFuture(HeldTasks.NONE);
    return CancellableStep.compose(
        held,
        found ->
            found.fault() == null
                ? merged(call, request, token, found)
                : CompletableFuture.completedFuture(new Ended.Failure(found.fault())));
  }

  private CompletableFuture<Response> merged(
      Call call, ListTasks request, AgentPageToken token, HeldTasks held) {
    if (!token.hasAgent() || idMapping.isUnknown(request.contextId())) {
      return CompletableFuture.completedFuture(
          new Merge(request, token, held, AgentPage.NONE).response());
    }
    return asked(
        toAgent(call, token, request.pageSize(), !held.tasks().isEmpty()),
        page -> {
          Merge merge = new Merge(request, token, held, page);
          int fitting = merge.fitting();
          if (fitting == page.tasks.size()) {
            return CompletableFuture.completedFuture(merge.response());
          }
          if (fitting == 0) {
            return CompletableFuture.completedFuture(merge.heldAlone());
          }
          return asked(
              toAgent(call, token, fitting, true),
              fewer ->
                  CompletableFuture.completedFuture(
                      new Merge(request, token, held, fewer).response()));
        });
  }

  /** The call for a page from the token on; unchanged where the caller's own does. */
  private static Call toAgent(Call call, AgentPageToken token, int pageSize, boolean hasOwnSize) {
    String params = Optional.ofNullable(call.params()).orElse("{}");
    if (hasOwnSize) {
      params = withMember(params, "pageSize", "page_size", String.valueOf(pageSize));
    }
    params =
        token.agentToken().isEmpty()
            ? without(params, "pageToken", "page_token")
            : withMember(params, "pageToken", "page_token", quoted(token.agentToken()));
    return new Call(call.id(), call.method(), params, call.notification(), call.headers());
  }

  private static String withMember(String params, String name, String snake, String value) {
    return MemberSplice.with(MemberSplice.without(params, List.of(snake)), List.of(name), value);
  }

  private static String without(String params, String name, String snake) {
    return MemberSplice.without(MemberSplice.without(params, List.of(snake)), List.of(name));
  }

  private CompletableFuture<Response> asked(
      Call call, Function<AgentPage, CompletableFuture<Response>> next) {
    return CancellableStep.compose(
        agent.apply(call),
        response ->
            response instanceof Ended.Result result
                ? CancellableStep.compose(
                    own(ObjectMembers.of(result.json())),
                    page ->
                        page.map(next)
                            .orElseGet(() ->
                                CompletableFuture.completedFuture(
                                    new Ended.Failure(OwnedIds.UNRECORDED))))
                : CompletableFuture.completedFuture(response));
  }

  /** Leaves out the tasks of others; empty when the journal does not know whose they are. */
  private CompletableFuture<Optional<AgentPage>> own(ObjectMembers page) {
    List<CompletableFuture<Optional<AgentTask>>> each =
        page.json("tasks").flatMap(ArrayElements::of).orElse(List.of()).stream()
            .map(this::ifOwn)
            .toList();
    return FutureList.all(each)
        .thenApply(tasks ->
            tasks.stream().anyMatch(Optional::isEmpty)
                ? Optional.empty()
                : Optional.of(
                    new AgentPage(
                        tasks.stream().flatMap(Optional::stream).toList(),
                        page.text("nextPageToken").orElse(""),
                        page.json("pageSize").orElse(null))));
  }

  private CompletableFuture<Optional<AgentTask>> ifOwn(String task) {
    ObjectMembers members = ObjectMembers.of(task);
    String taskId = AgentAnswerIds.id(members, "id");
    AgentTaskKey key = new AgentTaskKey(source, taskId, AgentAnswerIds.id(members, "contextId"));
    return found(owners, new AgentTaskKey(source, taskId, null))
        .thenCompose(owner ->
            owner.isPresent() && owner.get().isOwned() && taskId != null
                ? told(key, owner.get().told().taskId())
                    .thenCompose(it ->
                        it.map(told -> own(task, key, told))
                            .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())))
                : CompletableFuture.completedFuture(
                    owner.map(_ -> new AgentTask(null, null, null))));
  }

  /** Empty when the journal does not know it. */
  private CompletableFuture<Optional<GetAgentTaskOwner.Result>> found(
      OwnAgentTasks finder, AgentTaskKey key) {
    return finder
        .find(key)
        .thenApply(found ->
            found instanceof CommandResult.Stored<GetAgentTaskOwner.Result>(var owner)
                ? Optional.of(owner)
                : Optional.empty());
  }

  private CompletableFuture<Optional<ToldIds>> told(AgentTaskKey key, @Nullable String taskId) {
    return key.contextId() == null
        ? CompletableFuture.completedFuture(Optional.of(new ToldIds(taskId, null)))
        : found(owners.uncounted(), new AgentTaskKey(source, null, key.contextId()))
            .thenApply(owner -> owner.map(it -> new ToldIds(taskId, it.told().contextId())));
  }

  /** The task as the caller knows it; a held message is listed until it has its answer. */
  private CompletableFuture<Optional<AgentTask>> own(String task, AgentTaskKey key, ToldIds told) {
    TaskId held = idMapping.toldTask(key, told).orElse(null);
    return held == null
        ? CompletableFuture.completedFuture(
            Optional.of(agentTask(task, key, told, Optional.empty(), null)))
        : owners
            .uncounted()
            .agentTask(source, held)
            .thenCompose(found ->
                switch (found) {
                  case CommandResult.Refused<Optional<AnsweredTask>> _ ->
                      CompletableFuture.completedFuture(Optional.<AgentTask>empty());
                  case CommandResult.Stored<Optional<AnsweredTask>>(var answered)
                      when answered.isPresent() ->
                      CompletableFuture.completedFuture(
                          Optional.of(agentTask(task, key, told, answered, held.text())));
                  case CommandResult.Stored<Optional<AnsweredTask>> _ ->
                      unlessPending(held, agentTask(task, key, told, Optional.empty(), null));
                });
  }

  private AgentTask agentTask(
      String task,
      AgentTaskKey key,
      ToldIds told,
      Optional<AnsweredTask> answered,
      @Nullable String heldId) {
    return new AgentTask(
        idMapping.answer(key, told, answered).toCaller(task), heldId, changedAt(task));
  }

  private CompletableFuture<Optional<AgentTask>> unlessPending(TaskId held, AgentTask task) {
    return owners
        .uncounted()
        .status(held)
        .thenApply(found ->
            switch (found) {
              case CommandResult.Refused<TaskStatus> _ -> Optional.empty();
              case CommandResult.Stored<TaskStatus>(TaskStatus.Known known)
                  when !known.state().isFinal() ->
                  Optional.of(new AgentTask(null, null, null));
              case CommandResult.Stored<TaskStatus> _ -> Optional.of(task);
            });
  }

  private static @Nullable Instant changedAt(String task) {
    try {
      return ObjectMembers.of(task)
          .members("status")
          .text("timestamp")
          .map(Instant::parse)
          .orElse(null);
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  /** One page of held messages and one of the agent, in the order of their changes. */
  private static final class Merge {
    private final ListTasks request;
    private final AgentPageToken token;
    private final List<HeldTask> held;
    private final boolean hasMoreHeld;
    private final AgentPage page;

    Merge(ListTasks request, AgentPageToken token, HeldTasks held, AgentPage page) {
      this.request = request;
      this.token = token;
      Set<String> ofAgent =
          page.tasks.stream()
              .flatMap(task -> Stream.ofNullable(task.heldId()))
              .collect(Collectors.toSet());
      this.held = held.tasks().stream().filter(task -> !ofAgent.contains(task.id())).toList();
      this.hasMoreHeld = held.hasMore();
      this.page = page;
    }

    /** How many tasks of the agent's page, from its first, fit on the page with held messages. */
    int fitting() {
      int places = request.pageSize();
      int fitting = 0;
      int heldBefore = 0;
      for (AgentTask task : page.tasks) {
        heldBefore = heldNotOlder(task, heldBefore);
        places -= task.json == null ? 0 : 1;
        if (heldBefore > 0 && places < heldBefore) {
          break;
        }
        fitting++;
      }
      return fitting;
    }

    /** The number of held messages that come before a task of the agent. */
    private int heldNotOlder(AgentTask task, int atLeast) {
      int before = atLeast;
      while (before < held.size()
          && task.changedAt != null
          && !held.get(before).changedAt().isBefore(task.changedAt)) {
        before++;
      }
      return before;
    }

    /** The page with every task of the agent's page. */
    Response response() {
      List<String> tasks = new ArrayList<>();
      int listed = 0;
      for (AgentTask task : page.tasks) {
        int before = heldNotOlder(task, listed);
        for (; listed < before; listed++) {
          tasks.add(held.get(listed).json());
        }
        if (task.json != null) {
          tasks.add(task.json);
        }
      }
      boolean hasAgent = !page.nextToken.isEmpty();
      if (!hasAgent) {
        for (; listed < held.size() && tasks.size() < request.pageSize(); listed++) {
          tasks.add(held.get(listed).json());
        }
      }
      return page(tasks, listed, hasAgent, page.nextToken);
    }

    /** The page of held messages that come before every task of the agent's page. */
    Response heldAlone() {
      List<String> tasks = held.stream().limit(request.pageSize()).map(HeldTask::json).toList();
      return page(tasks, tasks.size(), true, token.agentToken());
    }

    private Response page(List<String> tasks, int listed, boolean hasAgent, String agentToken) {
      boolean hasHeld = token.hasHeld() && (listed < held.size() || hasMoreHeld);
      AgentPageToken next =
          new AgentPageToken(
              hasHeld,
              listed == 0 ? token.heldAfter() : Optional.of(held.get(listed - 1).cursor()),
              hasAgent,
              agentToken);
      return new Ended.Result(
          AgentTaskJson.page(
              tasks,
              next.text(),
              Optional.ofNullable(page.pageSize)
                  .filter(_ -> listed == 0)
                  .orElseGet(() -> String.valueOf(request.pageSize())),
              tasks.size()),
          false);
    }
  }
}
