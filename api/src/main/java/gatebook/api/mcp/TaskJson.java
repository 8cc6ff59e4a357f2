package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.events.call.ErrorResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The JSON of tasks in MCP: of revision 2025-11-25, and of the tasks extension since then. */
final class TaskJson {

  private static final String RELATED = "io.modelcontextprotocol/related-task";

  private TaskJson() {}

  /** The result of a call that became a task. */
  static String created(Known known) {
    return "{\"task\":%s}".formatted(task(known));
  }

  static String createdStateless(Known known) {
    return "{\"resultType\":\"task\",%s}".formatted(stateless(known));
  }

  /** The result that asks the client to send the same call again. */
  static String inputRequired(Known known) {
    return "{\"resultType\":\"input_required\",\"requestState\":%s}"
        .formatted(quoted(known.task().taskId()));
  }

  static String task(Known known) {
    return "{%s,\"ttl\":%d%s}"
        .formatted(
            shared(known, false),
            known.task().ttlMillis(),
            poll(known).map(",\"pollInterval\":%d"::formatted).orElse(""));
  }

  /** The task with its outcome, once there is one. */
  static String detailed(Known known) {
    return "{\"resultType\":\"complete\",%s%s}".formatted(stateless(known), outcome(known));
  }

  private static String stateless(Known known) {
    return "%s,\"ttlMs\":%d%s"
        .formatted(
            shared(known, true),
            known.task().ttlMillis(),
            poll(known).map(",\"pollIntervalMs\":%d"::formatted).orElse(""));
  }

  private static String shared(Known known, boolean stateless) {
    return "\"taskId\":%s,\"status\":\"%s\",\"statusMessage\":%s,\"createdAt\":\"%s\",\"lastUpdatedAt\":\"%s\""
        .formatted(
            quoted(known.task().taskId()),
            status(known, stateless),
            quoted(message(known)),
            known.task().createdAt(),
            known.changedAt());
  }

  /** A tool error is {@code failed} in 2025-11-25 and {@code completed} in the extension. */
  static String status(Known known, boolean stateless) {
    return switch (known.state()) {
      case TaskState.Waiting _, TaskState.Working _ -> "working";
      case CallOutcome.Answered(boolean toolError, _) ->
          toolError && !stateless ? "failed" : "completed";
      case CallOutcome.Failed _ -> "failed";
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ -> "cancelled";
    };
  }

  private static String message(Known known) {
    return switch (known.state()) {
      case TaskState.Waiting _ -> "waits for approval until " + known.due();
      case TaskState.Working _ -> "approved; the tool is at work";
      case CallOutcome.Answered(boolean toolError, _) ->
          toolError ? "the tool says that it failed" : "the tool has answered";
      case CallOutcome.Failed(_, var errorResponse) -> errorResponse.message();
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ -> "cancelled";
    };
  }

  private static String outcome(Known known) {
    return switch (known.state()) {
      case TaskState.Waiting _,
          TaskState.Working _,
          CallOutcome.Cancelled _,
          CallOutcome.Abandoned _ ->
          "";
      case CallOutcome.Answered(_, var result) -> ",\"result\":" + result;
      case CallOutcome.Failed(_, var errorResponse) -> ",\"error\":" + error(errorResponse);
    };
  }

  private static String error(ErrorResponse errorResponse) {
    return "{\"code\":%d,\"message\":%s%s}"
        .formatted(
            errorResponse.code(),
            quoted(errorResponse.message()),
            errorResponse.data() == null ? "" : ",\"data\":" + errorResponse.data());
  }

  /** The poll interval, which is shorter the sooner the approval is due. */
  private static Optional<Long> poll(Known known) {
    if (known.state().isFinal()) {
      return Optional.empty();
    }
    long seconds = Duration.between(known.at(), known.due()).toSeconds();
    return Optional.of(seconds <= 60 ? 2_000L : seconds <= 300 ? 5_000L : 10_000L);
  }

  /** The result with the id of its task. */
  static String related(String result, String taskId) {
    return MemberSplice.with(
        result, List.of("_meta", RELATED), "{\"taskId\":%s}".formatted(quoted(taskId)));
  }
}
