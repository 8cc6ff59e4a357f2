package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.Durations;
import gatebook.api.cli.text.ReadableJson;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws a tree of tasks as text: its state, then a line for each task, indented below its parent.
 */
final class TreeDrawing {
  private static final List<String> COLUMNS =
      List.of("task", "status", "took", "attempt", "executor", "call", "origin", "name", "error");
  private static final String NOTHING = "-";
  private static final String INDENT = "  ";

  private final JsonNode tree;
  private final Colours colours;

  /** The tasks whose parents are not shown, in the order of their creation. */
  private final List<JsonNode> roots = new ArrayList<>();

  /** The other tasks by their parents, in the order of their creation. */
  private final Map<String, List<JsonNode>> children = new LinkedHashMap<>();

  /** A task that is drawn at a depth. */
  private record Placed(JsonNode task, int depth) {}

  private TreeDrawing(JsonNode tree, Colours colours) {
    this.tree = tree;
    this.colours = colours;
    Set<String> ids = new HashSet<>();
    tree.path("tasks").forEach(task -> ids.add(task.path("taskId").asText()));
    for (JsonNode task : tree.path("tasks")) {
      JsonNode parent = task.path("parentId");
      if (parent.isTextual() && ids.contains(parent.asText())) {
        children.computeIfAbsent(parent.asText(), _ -> new ArrayList<>()).add(task);
      } else {
        roots.add(task);
      }
    }
  }

  static List<String> of(JsonNode tree, Colours colours) {
    return new TreeDrawing(tree, colours).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        ReadableJson.joined(
            "tree",
            TextCells.of(tree, "treeId"),
            "is",
            colours.word(TextCells.of(tree, "status")),
            TextCells.of(tree, "name")));
    lines.add(
        ReadableJson.joined(
            " ",
            ReadableJson.named("by", TextCells.of(tree, "owner")),
            ReadableJson.named("at", TextCells.toSecond(tree.path("createdAt"))),
            ReadableJson.named("took", millis(tree)),
            execution()));
    lines.add(ReadableJson.joined(" ", counts()));
    if (tree.path("webhook").isObject()) {
      lines.add(ReadableJson.joined(" ", webhook(tree.path("webhook"))));
    }
    lines.add("");
    lines.addAll(TextCells.aligned(rows()));
    int left = tree.path("taskCount").asInt() - tree.path("tasks").size();
    if (left > 0) {
      lines.add("and %d more tasks".formatted(left));
    }
    return lines;
  }

  private String execution() {
    JsonNode execution = tree.path("execution");
    return execution.isObject()
        ? "runs %s on node %s since %s"
            .formatted(
                TextCells.of(execution, "taskId"),
                TextCells.of(execution, "node"),
                TextCells.toSecond(execution.path("startedAt")))
        : "";
  }

  private String webhook(JsonNode webhook) {
    String attempt = TextCells.of(webhook, "attempt");
    return ReadableJson.joined(
        "webhook",
        TextCells.of(webhook, "url"),
        webhook.path("last").asBoolean() ? "end" : "",
        colours.word(TextCells.of(webhook, "state")),
        attempt.equals("0") ? "" : ReadableJson.named("in attempt", attempt),
        ReadableJson.named("with", TextCells.of(webhook, "status")),
        ReadableJson.named("at", TextCells.toSecond(webhook.path("at"))),
        colours.bad(TextCells.of(webhook, "reason")));
  }

  private String counts() {
    String each =
        tree.path("counts").properties().stream()
            .filter(count -> count.getValue().asInt() > 0)
            .map(count -> count.getValue().asInt() + " " + colours.word(count.getKey()))
            .collect(Collectors.joining(", "));
    int tasks = tree.path("taskCount").asInt();
    return tasks + (tasks == 1 ? " task" : " tasks") + (each.isEmpty() ? "" : ": " + each);
  }

  /** The rows in the order of a walk from the root, without recursion: trees may be deep. */
  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(COLUMNS);
    Deque<Placed> next = new ArrayDeque<>();
    push(roots, 0, next);
    while (!next.isEmpty()) {
      Placed placed = next.pop();
      rows.add(row(placed));
      if (!isDeleted(placed.task)) {
        String id = placed.task.path("taskId").asText();
        push(children.getOrDefault(id, List.of()), placed.depth + 1, next);
      }
    }
    return rows;
  }

  private static void push(List<JsonNode> tasks, int depth, Deque<Placed> next) {
    tasks.reversed().forEach(task -> next.push(new Placed(task, depth)));
  }

  private List<String> row(Placed placed) {
    JsonNode task = placed.task;
    String status = isDeleted(task) ? "deleted" : TextCells.of(task, "status");
    return List.of(
        INDENT.repeat(placed.depth) + TextCells.of(task, "taskId"),
        colours.word(status),
        cell(millis(task)),
        cell(task.path("attempt").asInt() == 0 ? "" : TextCells.of(task, "attempt")),
        cell(TextCells.of(task, "executor")),
        cell(call(task)),
        cell(TextCells.of(task, "origin")),
        TextCells.of(task, "name"),
        error(task));
  }

  private static boolean isDeleted(JsonNode task) {
    return task.path("deletedAt").isTextual();
  }

  /** The call that ended the task, else the last one that ran it. */
  private static String call(JsonNode task) {
    String ended = TextCells.of(task, "callId");
    return ended.isEmpty() ? TextCells.of(task.path("calls").path(0), "callId") : ended;
  }

  private String error(JsonNode task) {
    return colours.bad(
        ReadableJson.joined(TextCells.of(task, "code"), TextCells.of(task, "error")));
  }

  private static String millis(JsonNode timed) {
    return Durations.ofMillis(timed.path("durationMillis"));
  }

  private static String cell(String text) {
    return text.isEmpty() ? NOTHING : text;
  }
}
