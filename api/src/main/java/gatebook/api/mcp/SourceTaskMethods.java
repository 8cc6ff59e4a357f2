package gatebook.api.mcp;

import gatebook.api.gateway.message.CallObserver;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Methods about tasks that sources created. Each request goes to the source of the task, and only
 * the caller for whom the task was created may send it. With a single source and callers that
 * cannot be told apart, the task id is sufficient.
 */
final class SourceTaskMethods implements CallObserver {

  private static final String ID = "taskId";

  private final SourceTaskOwners owners = new SourceTaskOwners();

  /** Remembers the task that a call created, before the caller gets its id. */
  @Override
  public void onEnded(DialectCall dialectCall, Source source, String principal, Ended ended) {
    if (dialectCall.method().equals(McpMethod.TOOLS_CALL)) {
      SourceTaskOwners.createdTask(ended)
          .ifPresent(task ->
              owners.add(
                  principal,
                  task,
                  source.id(),
                  dialectCall.rules().limits().getInt(Limit.SOURCE_TASKS_MAX)));
    }
  }

  boolean isOf(String principal, String taskId, String source) {
    return owners.isOf(principal, taskId, source);
  }

  /** Whether a task id is sufficient to access the task. */
  static boolean isIdSufficient(Rules rules) {
    return rules.principals().isEmpty() && ListAggregator.sources(rules).size() == 1;
  }

  CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    Rules rules = answerContext.snapshot().rules();
    if (isIdSufficient(rules)) {
      return ask(ListAggregator.sources(rules).getFirst(), dialectCall, answerContext);
    }
    return dialectCall.method().equals(McpMethod.TASKS_LIST)
        ? list(dialectCall, answerContext)
        : answerOne(dialectCall, answerContext);
  }

  private CompletableFuture<Ended> answerOne(DialectCall dialectCall, AnswerContext answerContext) {
    String task = dialectCall.members().text(ID).orElseThrow();
    if (LookalikeCheck.isLookalike(dialectCall.members(), ID)) {
      return failed(new InvalidParams(List.of(new Problem(ID, null, "a string", null, List.of()))));
    }
    return owners
        .source(answerContext.principal(), task)
        .flatMap(id -> source(id, answerContext.snapshot().rules()))
        .map(source -> ask(source, dialectCall, answerContext))
        .orElseGet(() -> failed(new TaskNotFound(TaskMethods.shortened(task))));
  }

  private static Optional<Source> source(String id, Rules rules) {
    return ListAggregator.sources(rules).stream().filter(it -> it.id().equals(id)).findFirst();
  }

  private static CompletableFuture<Ended> ask(
      Source source, DialectCall dialectCall, AnswerContext answerContext) {
    return answerContext
        .sources()
        .send(source, dialectCall.method(), dialectCall.params())
        .thenApply(answer -> TaskMethods.taskNotFound(dialectCall, answer));
  }

  /**
   * Lists the caller's tasks of every source; a source without tasks does not affect the others.
   */
  private CompletableFuture<Ended> list(DialectCall dialectCall, AnswerContext answerContext) {
    String meta = dialectCall.members().json("_meta").map("{\"_meta\":%s}"::formatted).orElse(null);
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    return FutureList.all(
            sources.stream()
                .map(source -> new Pages(source, meta, answerContext).next(meta, 1))
                .toList())
        .thenApply(lists -> merged(sources, lists));
  }

  private static Ended merged(List<Source> sources, List<Ended> lists) {
    List<String> tasks = new ArrayList<>();
    MissingSources missing = new MissingSources();
    for (int i = 0; i < lists.size(); i++) {
      tasks.addAll(tasks(lists.get(i)).orElse(List.of()));
      missing.add(sources.get(i), lists.get(i));
    }
    boolean isNone = !lists.isEmpty() && lists.stream().noneMatch(Ended.Result.class::isInstance);
    return isNone
        ? lists.getFirst()
        : missing.answer("{\"tasks\":[%s]}".formatted(String.join(",", tasks)));
  }

  private static Optional<List<String>> tasks(Ended list) {
    return list instanceof Ended.Result(var json, _, _)
        ? ObjectMembers.of(json).json("tasks").flatMap(ArrayElements::of)
        : Optional.empty();
  }

  /** Reads all pages of one source and keeps the tasks of the caller. */
  private final class Pages {
    private final Source source;
    private final @Nullable String meta;
    private final AnswerContext answerContext;
    private final List<String> own = new ArrayList<>();

    Pages(Source source, @Nullable String meta, AnswerContext answerContext) {
      this.source = source;
      this.meta = meta;
      this.answerContext = answerContext;
    }

    CompletableFuture<Ended> next(@Nullable String params, int page) {
      return answerContext
          .sources()
          .send(source, McpMethod.TASKS_LIST, params)
          .thenCompose(list -> {
            tasks(list).ifPresent(tasks -> tasks.stream().filter(this::isOwn).forEach(own::add));
            Optional<String> cursor = cursor(list);
            return cursor.isPresent() && page < ListAggregator.PAGES_MAX
                ? next(
                    MemberSplice.with(meta == null ? "{}" : meta, List.of("cursor"), cursor.get()),
                    page + 1)
                : CompletableFuture.completedFuture(list instanceof Ended.Result ? all() : list);
          });
    }

    private static Optional<String> cursor(Ended list) {
      return list instanceof Ended.Result(var json, _, _)
          ? ObjectMembers.of(json).json("nextCursor")
          : Optional.empty();
    }

    private Ended all() {
      return new Ended.Result("{\"tasks\":[%s]}".formatted(String.join(",", own)), false);
    }

    private boolean isOwn(String task) {
      return ObjectMembers.of(task)
          .text(ID)
          .filter(id -> owners.isOf(answerContext.principal(), id, source.id()))
          .isPresent();
    }
  }

  private static CompletableFuture<Ended> failed(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
