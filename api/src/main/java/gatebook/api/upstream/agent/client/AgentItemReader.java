package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.agent.client.AgentItem.Kind;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads results of an agent as items, in the shapes of the version that it speaks. */
public final class AgentItemReader {

  private static final Set<Kind> SENT = EnumSet.of(Kind.TASK, Kind.MESSAGE);

  private AgentItemReader() {}

  /** Reads the answer to a message. */
  static AgentOutcome<AgentItem> sent(A2aVersion version, String json) {
    return item(version, json, SENT);
  }

  /** Reads a part of a stream. */
  public static AgentOutcome<AgentItem> streamed(A2aVersion version, String json) {
    return item(version, json, EnumSet.allOf(Kind.class));
  }

  /** Reads a task that no member wraps. */
  static AgentOutcome<AgentItem> task(A2aVersion version, String json) {
    return envelope(version, Kind.TASK, json, json);
  }

  /** Reads one page of a list. */
  static AgentOutcome<TaskPage> page(A2aVersion version, String json) {
    ObjectMembers page = ObjectMembers.of(json);
    Optional<List<String>> elements = page.json("tasks").flatMap(ArrayElements::of);
    if (elements.isEmpty()) {
      return AgentOutcome.invalid("the result has no list of tasks");
    }
    List<AgentItem> tasks = new ArrayList<>();
    for (String element : elements.get()) {
      switch (task(version, element)) {
        case Success<AgentItem>(var task) -> tasks.add(task);
        case Failed<AgentItem>(var failure) -> {
          return AgentOutcome.failed(failure);
        }
      }
    }
    return AgentOutcome.success(new TaskPage(tasks, page.text("nextPageToken").orElse(""), json));
  }

  /** Whether a stream ends with this item. */
  public static boolean isLast(A2aVersion version, AgentItem item) {
    return switch (item.kind()) {
      case MESSAGE -> true;
      case TASK, STATUS_UPDATE, ARTIFACT_UPDATE ->
          switch (version) {
            case V0_3 -> isFinal(item);
            case V1_0 -> item.state() != null && item.state().isTerminal();
          };
    };
  }

  private static boolean isFinal(AgentItem item) {
    return item.kind() == Kind.STATUS_UPDATE
        && ObjectMembers.of(item.payload()).json("final").filter("true"::equals).isPresent();
  }

  private static AgentOutcome<AgentItem> item(A2aVersion version, String json, Set<Kind> allowed) {
    ObjectMembers members = ObjectMembers.of(json);
    List<Kind> kinds =
        Stream.of(Kind.values())
            .filter(kind ->
                switch (version) {
                  case V0_3 -> members.text("kind").filter(kind.word()::equals).isPresent();
                  case V1_0 -> members.json(kind.wrapper()).isPresent();
                })
            .toList();
    if (kinds.size() != 1 || !allowed.contains(kinds.getFirst())) {
      return AgentOutcome.invalid("the result is of no kind that was asked for");
    }
    Kind kind = kinds.getFirst();
    return envelope(
        version,
        kind,
        switch (version) {
          case V0_3 -> json;
          case V1_0 -> members.json(kind.wrapper()).orElseThrow();
        },
        json);
  }

  private static AgentOutcome<AgentItem> envelope(
      A2aVersion version, Kind kind, String payload, String result) {
    ObjectMembers members = ObjectMembers.of(payload);
    Optional<String> taskId = id(members, kind == Kind.TASK ? "id" : "taskId");
    Optional<A2aTaskState> state =
        members.members("status").text("state").flatMap(word -> A2aTaskState.of(version, word));
    if (taskId.isEmpty() && kind != Kind.MESSAGE) {
      return AgentOutcome.invalid("a task or an update has no task id");
    }
    if (state.isEmpty() && (kind == Kind.TASK || kind == Kind.STATUS_UPDATE)) {
      return AgentOutcome.invalid("a task or an update has no state that the version knows");
    }
    return AgentOutcome.success(
        new AgentItem(
            kind,
            taskId.orElse(null),
            id(members, "contextId").orElse(null),
            state.orElse(null),
            payload,
            result));
  }

  private static Optional<String> id(ObjectMembers members, String name) {
    return members.text(name).filter(id -> !id.isEmpty());
  }
}
