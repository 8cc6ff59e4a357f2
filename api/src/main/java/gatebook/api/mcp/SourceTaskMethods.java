package gatebook.api.mcp;

import gatebook.api.gateway.message.CallObserver;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
      return failed(
          new InvalidParams(
              List.of(
                  new Problem(
                      ID, null, "a member in its right case", JsonType.STRING, List.of()))));
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
    String principal = answerContext.principal();
    return new MergedList(
            McpMethod.TASKS_LIST,
            "tasks",
            true,
            (source, tasks) ->
                tasks.stream().filter(task -> isOwn(principal, task, source)).toList())
        .of(
            ListAggregator.sources(answerContext.snapshot().rules()),
            dialectCall.members(),
            answerContext);
  }

  private boolean isOwn(String principal, String task, Source source) {
    return ObjectMembers.of(task)
        .text(ID)
        .filter(id -> owners.isOf(principal, id, source.id()))
        .isPresent();
  }

  private static CompletableFuture<Ended> failed(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
