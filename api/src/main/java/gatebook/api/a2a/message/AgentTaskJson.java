package gatebook.api.a2a.message;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus.Known;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of a task of the built-in agent, in one version. */
public final class AgentTaskJson {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final A2aVersion version;
  private final Known known;

  private AgentTaskJson(A2aVersion version, Known known) {
    this.version = version;
    this.known = known;
  }

  /**
   * A task as a bare object.
   *
   * @param historyLength the most messages of the history; absent for all
   */
  public static String of(
      Known known, A2aVersion version, @Nullable Integer historyLength, boolean includesArtifacts) {
    return new AgentTaskJson(version, known).task(historyLength, includesArtifacts);
  }

  /**
   * A page of a list, each of whose tasks is a bare object.
   *
   * @param nextPageToken empty when this page is the last one
   * @param pageSize the most tasks that it may have
   * @param totalSize the number of tasks on all pages
   */
  public static String page(
      List<String> tasks, String nextPageToken, String pageSize, long totalSize) {
    return """
    {"tasks":[%s],"nextPageToken":%s,"pageSize":%s,"totalSize":%d}\
    """
        .formatted(String.join(",", tasks), quoted(nextPageToken), pageSize, totalSize);
  }

  /** The response to a message: in 1.0 it says that it is a task. */
  public static String sent(Known known, A2aVersion version, @Nullable Integer historyLength) {
    String task = of(known, version, historyLength, true);
    return switch (version) {
      case V0_3 -> task;
      case V1_0 -> "{\"task\":%s}".formatted(task);
    };
  }

  /** An item of a stream: the state that the task entered. */
  static String statusUpdate(Known known, A2aVersion version) {
    String members =
        "%s,\"status\":%s".formatted(ids(known), new AgentTaskJson(version, known).status());
    return switch (version) {
      case V0_3 ->
          "{\"kind\":\"status-update\",%s,\"final\":%b}"
              .formatted(members, state(known).isTerminal());
      case V1_0 -> "{\"statusUpdate\":{%s}}".formatted(members);
    };
  }

  /** An item of a stream: the artifact as a whole; empty when the task has none. */
  static Optional<String> artifactUpdate(Known known, A2aVersion version) {
    return new AgentTaskJson(version, known)
        .artifact()
        .map(artifact -> "%s,\"artifact\":%s,\"lastChunk\":true".formatted(ids(known), artifact))
        .map(members ->
            switch (version) {
              case V0_3 -> "{\"kind\":\"artifact-update\",%s}".formatted(members);
              case V1_0 -> "{\"artifactUpdate\":{%s}}".formatted(members);
            });
  }

  private static String ids(Known known) {
    return "\"taskId\":%s,\"contextId\":%s"
        .formatted(quoted(known.task().taskId()), quoted(contextId(known)));
  }

  /** The state of a task as its caller sees it. */
  public static A2aTaskState state(Known known) {
    return switch (known.state()) {
      case TaskState.Waiting() -> A2aTaskState.SUBMITTED;
      case TaskState.Working() -> A2aTaskState.WORKING;
      case CallOutcome.Answered(boolean toolError, _) ->
          toolError ? A2aTaskState.FAILED : A2aTaskState.COMPLETED;
      case CallOutcome.Failed(var fault, _) ->
          fault.gate().isPresent() ? A2aTaskState.REJECTED : A2aTaskState.FAILED;
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ -> A2aTaskState.CANCELED;
    };
  }

  /** The word of a version for the state of a task. */
  public static String word(Known known, A2aVersion version) {
    return state(known).word(version).orElseThrow();
  }

  /** The conversation of a task; old records do not have it for a message to an agent upstream. */
  static String contextId(Known known) {
    return Optional.ofNullable(known.task().contextId())
        .or(() -> AgentMessageJson.contextId(known))
        .orElseGet(() -> known.task().callId().toString());
  }

  private String task(@Nullable Integer historyLength, boolean includesArtifacts) {
    List<String> members = new ArrayList<>();
    if (version == A2aVersion.V0_3) {
      members.add("\"kind\":\"task\"");
    }
    members.add("\"id\":" + quoted(known.task().taskId()));
    members.add("\"contextId\":" + quoted(contextId(known)));
    members.add("\"status\":" + status());
    if (includesArtifacts) {
      artifact().ifPresent(artifact -> members.add("\"artifacts\":[%s]".formatted(artifact)));
    }
    if (historyLength == null || historyLength > 0) {
      history().ifPresent(message -> members.add("\"history\":[%s]".formatted(message)));
    }
    return "{" + String.join(",", members) + "}";
  }

  private String status() {
    String message =
        statusText()
            .map(text -> ",\"message\":" + AgentMessageJson.ofAgent(text, known, version))
            .orElse("");
    return "{\"state\":\"%s\"%s,\"timestamp\":\"%s\"}"
        .formatted(word(known, version), message, time(known.changedAt()));
  }

  private static String time(Instant instant) {
    return MILLIS.format(instant);
  }

  private Optional<String> statusText() {
    return switch (known.state()) {
      case TaskState.Waiting() -> Optional.of("Waits for approval until " + known.due());
      case CallOutcome.Answered(boolean toolError, var result) when toolError ->
          Optional.of(ToolResult.of(result).text().orElse("The tool reported an error"));
      case CallOutcome.Failed(_, var errorResponse) -> Optional.of(errorResponse.message());
      case TaskState.Working _,
          CallOutcome.Answered _,
          CallOutcome.Cancelled _,
          CallOutcome.Abandoned _ ->
          Optional.empty();
    };
  }

  private Optional<String> artifact() {
    return known.state() instanceof CallOutcome.Answered(boolean toolError, var result)
            && !toolError
        ? Optional.of(
            "{\"artifactId\":\"result\",\"name\":\"result\",\"parts\":[%s]}"
                .formatted(
                    String.join(
                        ",",
                        ToolResult.of(result).parts().stream()
                            .map(part -> AgentMessageJson.part(part, version))
                            .toList())))
        : Optional.empty();
  }

  /** The message that asked for the task. */
  private Optional<String> history() {
    return AgentMessageJson.sent(known, version);
  }
}
