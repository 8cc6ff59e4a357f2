package gatebook.api.flow;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.FlowTaskJson;
import gatebook.api.rpc.JsonStrings;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the progress events of one execution from its facts, as JSON that is the same in both
 * profiles. Nothing follows its end. It is used by one thread at a time.
 */
final class ProgressEvents {
  /** The resolution of progress: only the end is rounded to 1. */
  private static final double PARTS = 10_000;

  private final String taskId;
  private final InstantSource clock;
  private ExecutionFact.@Nullable TaskEnded named;
  private double progress;
  private boolean ended;

  /**
   * Events of an execution.
   *
   * @param taskId the task that is executed with what it depends on: the root, or the one named
   */
  ProgressEvents(String taskId, InstantSource clock) {
    this.taskId = taskId;
    this.clock = clock;
  }

  /** Whether the events that end the stream are made. */
  boolean haveEnded() {
    return ended;
  }

  /**
   * The events of a fact.
   *
   * @param share of the execution that is done; what is told never falls
   */
  List<String> of(ExecutionFact fact, double share) {
    if (ended) {
      return List.of();
    }
    progress = Math.max(progress, Math.floor(share * PARTS) / PARTS);
    return switch (fact) {
      case ExecutionFact.TaskStarted(var id, var at) ->
          List.of(event(fact.type(), id, TreeStatus.IN_PROGRESS, at, ""));
      case ExecutionFact.TaskHeld(var id, var at) ->
          List.of(progress(id, at, "The task waits for an approval"));
      case ExecutionFact.TaskRetried(var id, var startsAt, var at) ->
          List.of(
              event(fact.type(), id, TreeStatus.IN_PROGRESS, at, member("starts_at", startsAt)));
      case ExecutionFact.TaskEnded end -> ended(end);
      case ExecutionFact.ExecutionEnded end -> ended(end);
    };
  }

  /** The event that ends the stream while the execution goes on. */
  List<String> timeout() {
    if (ended) {
      return List.of();
    }
    ended = true;
    return List.of(
        event(
            "timeout",
            taskId,
            TreeStatus.IN_PROGRESS,
            clock.instant(),
            progressAnd("The stream has ended, and the execution goes on")));
  }

  private List<String> ended(ExecutionFact.TaskEnded end) {
    String id = end.task().id();
    if (id.equals(taskId)) {
      named = end;
    }
    if (!end.status().isTerminal()) {
      return List.of();
    }
    String outcome =
        end.status() == TreeStatus.COMPLETED
            ? member("result", FlowTaskJson.result(end.task()))
            : member("error", FlowTaskJson.quotedOrNull(end.error()));
    String message =
        "Task '%s': %s".formatted(end.task().task().content().name(), end.status().word());
    return List.of(
        event(end.type(), id, end.status(), end.at(), outcome),
        progress(taskId, end.at(), message));
  }

  private List<String> ended(ExecutionFact.ExecutionEnded end) {
    ended = true;
    String blocked =
        end.blocked().stream().map(JsonStrings::quoted).collect(Collectors.joining(",", "[", "]"));
    return List.of(
        event(
            end.type(),
            taskId,
            end.status(),
            end.at(),
            ",\"final\":true" + outcome(end.status()) + member("blocked_tasks", blocked)),
        "{\"type\":\"stream_end\",\"task_id\":%s}".formatted(quoted(taskId)));
  }

  /** The result of the named task if it has one, and why the whole did not complete. */
  private String outcome(TreeStatus status) {
    String result =
        named == null || named.status() != TreeStatus.COMPLETED
            ? ""
            : member("result", FlowTaskJson.result(named.task()));
    return status == TreeStatus.COMPLETED ? result : result + member("error", quoted(failure()));
  }

  private String failure() {
    String own = named == null ? null : named.error();
    return own == null ? "Not all tasks were completed" : own;
  }

  private String progress(String id, Instant at, String message) {
    return event("progress", id, TreeStatus.IN_PROGRESS, at, progressAnd(message));
  }

  private String progressAnd(String message) {
    return member("progress", Double.toString(progress)) + member("message", quoted(message));
  }

  private static String member(String name, Instant at) {
    return member(name, FlowTaskJson.time(at));
  }

  private static String member(String name, String json) {
    return ",\"%s\":%s".formatted(name, json);
  }

  private static String event(
      String type, String id, TreeStatus status, Instant at, String members) {
    return "{\"type\":\"%s\",\"task_id\":%s,\"status\":\"%s\"%s%s}"
        .formatted(type, quoted(id), status.word(), member("timestamp", at), members);
  }
}
