package gatebook.api.mcp;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.gateway.DialectHandler.Setting;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import gatebook.command.call.TaskStatus.Known;
import gatebook.command.call.TaskStatus.State;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.TaskFault.TaskCancelled;
import gatebook.events.fault.TaskFault.TaskExpired;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.Withheld.TransformDrift;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of tools that have to wait for a person, and how their callers come back for the outcome:
 * by the tasks of 2025-11-25, where they ask for one; by those of the extension, where they say
 * that they know them; by the same call with the state they were told, in the stateless revisions.
 */
public final class TaskMethods {

  private static final String CALL = "tools/call";
  private static final String GET = "tasks/get";
  private static final String RESULT = "tasks/result";
  private static final String CANCEL = "tasks/cancel";
  private static final String UPDATE = "tasks/update";

  private static final Set<String> ABOUT_ONE = Set.of(GET, RESULT, CANCEL, UPDATE);

  private static final String STATE = "requestState";
  private static final int METHOD_NOT_FOUND = -32_601;

  /** No task is kept for so long. */
  private static final long FOREVER_MILLIS = Long.MAX_VALUE / 1_000_000;

  /** Whether a method is about one task, which its params name. */
  static boolean isAboutOne(String method) {
    return ABOUT_ONE.contains(method);
  }

  /** What a client wants of a call that comes back is answered here; empty for every other. */
  public Optional<Intent> aim(Asking asking) {
    return returning(asking).map(_ -> new Intent.Ask());
  }

  private static Optional<TaskId> returning(Asking asking) {
    return asking.method().equals(CALL)
        ? asking.members().text(STATE).flatMap(TaskId::of)
        : Optional.empty();
  }

  /** How the caller can come back; a client without a way waits for the answer. */
  public Optional<Deferral> deferral(Asking asking, UUID callId) {
    if (!asking.method().equals(CALL)) {
      return Optional.empty();
    }
    if (StatelessRequest.isStateless(asking)) {
      Form form = StatelessRequest.knowsTasks(asking) ? Form.TASK : Form.AGAIN;
      return Optional.of(new Deferral(TaskId.of(callId).text(), form, false, null));
    }
    return asking
        .members()
        .json("task")
        .filter(task -> task.startsWith("{"))
        .map(task -> new Deferral(TaskId.of(callId).text(), Form.TASK, true, ttl(task)));
  }

  /** What is no number of milliseconds is no wish. */
  private static @Nullable Long ttl(String task) {
    return ObjectMembers.of(task)
        .json("ttl")
        .filter(it -> it.matches("\\d{1,15}"))
        .map(Long::valueOf)
        .orElse(null);
  }

  /** What a caller is told instead of the answer. */
  public String deferred(Asking asking, Known known) {
    return switch (known.task().form()) {
      case AGAIN -> TaskJson.comeAgain(known);
      case TASK ->
          StatelessRequest.isStateless(asking)
              ? TaskJson.createdStateless(known)
              : TaskJson.created(known);
    };
  }

  /** Nobody behind us is to make a task of a task. */
  public static @Nullable String onward(@Nullable String params) {
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

  /** Where nobody behind us knows of tasks, nobody knows of this one. */
  static Ended unknown(Asking asking, Ended answer) {
    Optional<String> task =
        isAboutOne(asking.method()) ? asking.members().text("taskId") : Optional.empty();
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

  static String shortened(String id) {
    return TextPrefix.of(id, GovernedTargets.NAME_CHARS_MAX);
  }

  /** The answer to what concerns a task of ours; empty when it concerns none. */
  public Optional<CompletableFuture<Ended>> answer(Asking asking, Setting setting) {
    Optional<TaskId> returning = returning(asking);
    if (returning.isPresent()) {
      return Optional.of(again(returning.get(), asking, setting));
    }
    return isAboutOne(asking.method())
        ? asking
            .members()
            .text("taskId")
            .flatMap(TaskId::of)
            .map(task -> answer(task, asking, setting))
        : Optional.empty();
  }

  private static CompletableFuture<Ended> answer(TaskId task, Asking asking, Setting setting) {
    boolean stateless = StatelessRequest.isStateless(asking);
    return switch (asking.method()) {
      case RESULT -> {
        setting.conversation().waits();
        yield setting.tasks().await(task, FOREVER_MILLIS, _ -> true, of(task, TaskMethods::result));
      }
      case CANCEL ->
          setting
              .tasks()
              .cancel(task, of(task, known -> stateless ? acknowledged() : cancelled(known)));
      case UPDATE -> setting.tasks().ask(task, of(task, _ -> acknowledged()));
      default ->
          setting
              .tasks()
              .ask(
                  task,
                  of(
                      task,
                      known ->
                          answered(stateless ? TaskJson.detailed(known) : TaskJson.task(known))));
    };
  }

  /** The same call once more: it has to be the same, and another one is not waited for. */
  private CompletableFuture<Ended> again(TaskId task, Asking asking, Setting setting) {
    setting.conversation().waits();
    return setting
        .tasks()
        .await(
            task,
            setting.ground().rules().limits().heldAnswerMillisMax(),
            known -> isSame(asking, known),
            of(
                task,
                known ->
                    isSame(asking, known)
                        ? outcome(asking, known)
                        : failure(new TransformDrift(target(asking), task.text()))));
  }

  private static boolean isSame(Asking asking, Known known) {
    ObjectMembers then = ObjectMembers.of(known.original());
    return known.original() != null
        && then.text("name").equals(asking.members().text("name"))
        && then.json("arguments").equals(asking.members().json("arguments"));
  }

  private static String target(Asking asking) {
    return asking.members().text("name").orElse("");
  }

  private Ended outcome(Asking asking, Known known) {
    return known.state().isFinal() ? result(known, false) : answered(deferred(asking, known));
  }

  /** What nobody knows of, or no longer, is told alike whoever asks. */
  private static Function<TaskStatus, Ended> of(TaskId task, Function<Known, Ended> told) {
    return standing ->
        switch (standing) {
          case TaskStatus.Unknown() -> failure(new TaskNotFound(task.text()));
          case TaskStatus.Expired(var created) ->
              failure(new TaskExpired(task.text(), created.ttlMillis() / 1_000));
          case Known known -> told.apply(known);
        };
  }

  private static Ended result(Known known) {
    return result(known, true);
  }

  private static Ended result(Known known, boolean related) {
    String id = known.task().taskId();
    return switch (known.state()) {
      case State.Answered(boolean toolError, var result) ->
          new Ended.Result(related ? TaskJson.related(result, id) : result, toolError);
      case State.Failed(var fault, _) -> new Ended.ToldBefore(fault, known.task().callId());
      case State.Cancelled() -> failure(new TaskCancelled(id));
      case State.Waiting _, State.Working _ ->
          throw new IllegalStateException("nobody waits for longer than a task is kept");
    };
  }

  private static Ended cancelled(Known known) {
    return known.state() instanceof State.Cancelled
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
