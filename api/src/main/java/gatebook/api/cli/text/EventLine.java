package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;

/** Formats an event as one line, aligned with the lines before it. */
public final class EventLine {
  private static final int AT_CHARS = 23;
  private static final String NO_CALL = " ".repeat(36);

  private EventLine() {}

  public static String of(JsonNode event, Colours colours) {
    return "%s  #%-8s %-18s %s  %s"
        .formatted(
            at(event),
            TextCells.of(event, "position"),
            TextCells.of(event, "name"),
            event.has("callId") ? TextCells.of(event, "callId") : NO_CALL,
            details(event.path("data"), colours))
        .stripTrailing();
  }

  /** To the millisecond. */
  private static String at(JsonNode event) {
    String at = TextCells.of(event, "at");
    return at.length() > AT_CHARS ? at.substring(0, AT_CHARS) + "Z" : at;
  }

  private static String details(JsonNode data, Colours colours) {
    JsonNode principal = data.path("principal");
    return ReadableJson.joined(
        TextCells.of(data, "method"),
        TextCells.of(data, "target"),
        ReadableJson.named(
            "by", TextCells.of(principal.isObject() ? principal.path("name") : principal)),
        ReadableJson.named("by", TextCells.of(data, "operator")),
        data.path("allowed").asBoolean(true) ? "" : colours.word("refused"),
        lastRuling(data.path("rulings"), colours),
        TextCells.of(data, "workflow"),
        tree(data, colours),
        colours.bad(TextCells.of(data.path("fault"), "kind")),
        ReadableJson.named("told", TextCells.of(data.path("told"), "code")),
        colours.word(TextCells.of(data, "outcome")),
        TextCells.of(data, "reason"),
        TextCells.of(data, "cause"),
        ReadableJson.named("took", Durations.ofMillis(data.path("totalMillis"))));
  }

  /** An event of a tree, or of one of its tasks. */
  private static String tree(JsonNode data, Colours colours) {
    return data.has("treeId")
        ? ReadableJson.joined(
            ReadableJson.named("of tree", TextCells.of(data, "treeId")),
            ReadableJson.named("task", TextCells.of(data, "taskId")),
            ReadableJson.named("by", TextCells.of(data, "owner")),
            colours.word(TextCells.of(data, "status")),
            colours.bad(TextCells.of(data, "error")))
        : "";
  }

  /** The last gate that ruled is the one that decided. */
  private static String lastRuling(JsonNode rulings, Colours colours) {
    JsonNode last = rulings.path(rulings.size() - 1);
    return last.isObject()
        ? TextCells.of(last, "gate")
            + ": "
            + colours.word(TextCells.of(last.path("verdict"), "kind"))
        : "";
  }
}
