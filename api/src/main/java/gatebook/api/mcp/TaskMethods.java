package gatebook.api.mcp;

import gatebook.api.gateway.RecentEntries;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.JsonEquality;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpParams;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.Deferral;
import gatebook.command.call.Deferral.Condition;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Limit;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.TaskCancelled;
import gatebook.events.fault.TaskFault.TaskExpired;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.Withheld.TransformDrift;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Methods with which callers get the outcome of tool calls that wait for approval. Revision
 * 2025-11-25 uses tasks if the call asks for one. The stateless revisions use tasks if the caller
 * declares the tasks extension, and otherwise the same call again with its {@code requestState}.
 */
public final class TaskMethods {

  private static final String STATE = "requestState";
  private static final int METHOD_NOT_FOUND = -32_601;

  private static final int ENDED_TASKS_MAX = 10_000;

  /** The call that first got the error about a task that was cancelled or has expired. */
  private final RecentEntries<TaskFault, UUID> firstCalls = new RecentEntries<>();

  /**
   * The intent of a call that is sent again for its task, and of a request about a task of Gatebook
   * whose sender must declare first that it knows tasks; empty for every other request.
   */
  public Optional<Intent> intent(DialectCall dialectCall) {
    return resumedTask(dialectCall)
        .<Intent>map(_ -> new Intent.AnswerHere())
        .or(() ->
            ownTask(dialectCall)
                .flatMap(_ -> StatelessRequest.undeclaredTasks(dialectCall))
                .map(Intent.Unservable::new));
  }

  /** The task of Gatebook that a request is about; empty when it is about no task or another's. */
  private static Optional<TaskId> ownTask(DialectCall dialectCall) {
    return McpMethod.isAboutOneTask(dialectCall.method())
        ? dialectCall.members().text("taskId").flatMap(TaskId::parse)
        : Optional.empty();
  }

  private static Optional<TaskId> resumedTask(DialectCall dialectCall) {
    return dialectCall.method().equals(McpMethod.TOOLS_CALL)
        ? dialectCall.members().text(STATE).flatMap(TaskId::parse)
        : Optional.empty();
  }

  /** How the caller gets a deferred outcome; empty when the client has to wait for the answer. */
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    if (!dialectCall.method().equals(McpMethod.TOOLS_CALL)) {
      return Optional.empty();
    }
    if (StatelessRequest.isStateless(dialectCall)) {
      Form form = StatelessRequest.supportsTasks(dialectCall) ? Form.TASK : Form.AGAIN;
      return Optional.of(
          new Deferral(TaskId.generate(callId).text(), form, Condition.IF_HELD, null));
    }
    return dialectCall
        .members()
        .json("task")
        .filter(task -> task.startsWith("{"))
        .map(task ->
            new Deferral(
                TaskId.generate(callId).text(),
                Form.TASK,
                Condition.IF_HELD_AS_REQUESTED,
                ttl(task)));
  }

  /** The requested time to live; absent when it is not a number of milliseconds. */
  private static @Nullable Long ttl(String task) {
    return ObjectMembers.of(task)
        .json("ttl")
        .filter(it -> it.matches("\\d{1,15}"))
        .map(Long::valueOf)
        .orElse(null);
  }

  /** The result that the caller gets instead of the answer. */
  public String deferred(DialectCall dialectCall, Known known) {
    return switch (known.task().form()) {
      case AGAIN -> TaskJson.inputRequired(known);
      case TASK ->
          StatelessRequest.isStateless(dialectCall)
              ? TaskJson.createdStateless(known)
              : TaskJson.created(known);
      case OWN -> throw new IllegalStateException("no client makes a call of this form");
    };
  }

  /** The params without the request for a task, so that the source does not create another one. */
  static @Nullable String backgroundParams(ReceiveCall call) {
    String params = call.params();
    return params == null
        ? null
        : MemberSplice.without(
            MemberSplice.without(params, List.of("task")),
            List.of(
                "_meta",
                McpRevisions.CAPABILITIES_KEY,
                "extensions",
                StatelessRequest.TASKS_EXTENSION));
  }

  /** Replaces the answer of a source without tasks by {@code TaskNotFound}. */
  static Ended taskNotFound(DialectCall dialectCall, Ended answer) {
    Optional<String> task =
        McpMethod.isAboutOneTask(dialectCall.method())
            ? dialectCall.members().text("taskId")
            : Optional.empty();
    return task.isPresent() && isMethodUnknown(answer)
        ? failure(new TaskNotFound(shortened(task.get())))
        : answer;
  }

  private static boolean isMethodUnknown(Ended answer) {
    return answer instanceof Ended.Failure(var fault)
        && (fault instanceof MethodNotFound
            || (fault instanceof UpstreamError error
                && Objects.equals(error.code(), METHOD_NOT_FOUND)));
  }

  /** Scrubbed before it is cut: half a secret would not be recognised as one. */
  static String shortened(String id) {
    return TextPrefix.of(Scrubber.NAMES.scrub(id), McpParams.NAME_CHARS_MAX);
  }

  /** The answer to a request about a task of Gatebook; empty for other requests. */
  public Optional<CompletableFuture<Ended>> answer(
      DialectCall dialectCall, AnswerContext answerContext) {
    Optional<TaskId> returning = resumedTask(dialectCall);
    if (returning.isPresent()) {
      return Optional.of(resume(returning.get(), dialectCall, answerContext));
    }
    return ownTask(dialectCall).map(task -> answer(task, dialectCall, answerContext));
  }

  private CompletableFuture<Ended> answer(
      TaskId task, DialectCall dialectCall, AnswerContext answerContext) {
    boolean stateless = StatelessRequest.isStateless(dialectCall);
    CallerTasks tasks = answerContext.tasks();
    return switch (dialectCall.method()) {
      case McpMethod.TASKS_RESULT -> {
        answerContext.channel().expectLongWait();
        yield byStatus(
            tasks.await(task, CallerTasks.FOREVER_MILLIS, _ -> true),
            task,
            answerContext,
            known -> result(known, true, answerContext));
      }
      case McpMethod.TASKS_CANCEL ->
          byStatus(
              tasks.cancel(task),
              task,
              answerContext,
              known -> stateless ? acknowledged() : cancelled(known));
      case McpMethod.TASKS_UPDATE ->
          byStatus(tasks.status(task), task, answerContext, _ -> acknowledged());
      default ->
          byStatus(
              tasks.status(task),
              task,
              answerContext,
              known -> answered(stateless ? TaskJson.detailed(known) : TaskJson.task(known)));
    };
  }

  /** Answers a call that is sent again. A call that differs from the original fails at once. */
  private CompletableFuture<Ended> resume(
      TaskId task, DialectCall dialectCall, AnswerContext answerContext) {
    answerContext.channel().expectLongWait();
    return byStatus(
        answerContext
            .tasks()
            .await(
                task,
                answerContext.snapshot().rules().limits().get(Limit.HELD_ANSWER_MILLIS_MAX),
                known -> isSame(dialectCall, known)),
        task,
        answerContext,
        known ->
            isSame(dialectCall, known)
                ? outcome(dialectCall, known, answerContext)
                : failure(new TransformDrift(target(dialectCall), task.text())));
  }

  private static boolean isSame(DialectCall dialectCall, Known known) {
    ObjectMembers then = ObjectMembers.of(known.params());
    return known.params() != null
        && then.text("name").equals(dialectCall.members().text("name"))
        && JsonEquality.areEqual(arguments(then), arguments(dialectCall.members()));
  }

  /** As everywhere, {@code null} counts as absent. */
  private static String arguments(ObjectMembers params) {
    return params.json("arguments").orElse("null");
  }

  private static String target(DialectCall dialectCall) {
    return dialectCall.members().text("name").orElse("");
  }

  private Ended outcome(DialectCall dialectCall, Known known, AnswerContext answerContext) {
    return known.state().isFinal()
        ? result(known, false, answerContext)
        : answered(deferred(dialectCall, known));
  }

  /** Answers a known task, or fails; every caller gets the same error for an unknown task. */
  private CompletableFuture<Ended> byStatus(
      CompletableFuture<CommandResult<TaskStatus>> pending,
      TaskId task,
      AnswerContext answerContext,
      Function<Known, Ended> answer) {
    return CallerTasks.ended(
        pending,
        status ->
            switch (status) {
              case TaskStatus.Unknown() -> failure(new TaskNotFound(task.text()));
              case TaskStatus.Expired(var created) ->
                  ended(new TaskExpired(task.text(), created.ttlMillis() / 1_000), answerContext);
              case Known known -> answer.apply(known);
            });
  }

  private Ended result(Known known, boolean related, AnswerContext answerContext) {
    String id = known.task().taskId();
    return switch (known.state()) {
      case CallOutcome.Answered(boolean toolError, var result) ->
          new Ended.Result(related ? TaskJson.related(result, id) : result, toolError);
      case CallOutcome.Failed(var fault, _) -> new Ended.EarlierError(fault, known.task().callId());
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ ->
          ended(new TaskCancelled(id), answerContext);
      case TaskState.Waiting _, TaskState.Working _ ->
          throw new IllegalStateException("a wait cannot outlast its task");
    };
  }

  /** Every later request about a task that has ended gets the same error, not counted again. */
  private Ended ended(TaskFault fault, AnswerContext answerContext) {
    UUID callId = answerContext.callId();
    UUID firstCall = firstCalls.add(fault, callId, (first, _) -> first, ENDED_TASKS_MAX);
    return firstCall.equals(callId) ? failure(fault) : new Ended.EarlierError(fault, firstCall);
  }

  private static Ended cancelled(Known known) {
    return known.state() instanceof CallOutcome.Cancelled
        ? answered(TaskJson.task(known))
        : failure(new TaskNotCancelable(known.task().taskId(), TaskJson.status(known, false)));
  }

  private static Ended acknowledged() {
    return answered("{\"resultType\":\"complete\"}");
  }

  private static Ended answered(String json) {
    return new Ended.Result(json, false);
  }

  private static Ended failure(Fault fault) {
    return new Ended.Failure(fault);
  }
}
