package gatebook.api.tail;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Cells;
import gatebook.api.ask.Ink;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An event in one line that stands under the one before. */
final class EventLine {
  private static final int AT_CHARS = 23;
  private static final String NO_CALL = " ".repeat(36);

  private EventLine() {}

  static String of(JsonNode event, Ink ink) {
    return "%s  #%-8s %-18s %s  %s"
        .formatted(
            at(event),
            text(event, "position"),
            text(event, "name"),
            event.has("callId") ? text(event, "callId") : NO_CALL,
            says(event.path("data"), ink))
        .stripTrailing();
  }

  /** To the millisecond. */
  private static String at(JsonNode event) {
    String at = text(event, "at");
    return at.length() > AT_CHARS ? at.substring(0, AT_CHARS) + "Z" : at;
  }

  private static String says(JsonNode data, Ink ink) {
    JsonNode principal = data.path("principal");
    return Stream.of(
            text(data, "method"),
            text(data, "target"),
            word("by", principal.isObject() ? principal.path("name") : principal),
            word("by", data.path("operator")),
            data.path("allowed").asBoolean(true) ? "" : ink.word("refused"),
            ruled(data.path("rulings"), ink),
            text(data, "workflow"),
            ink.bad(text(data.path("fault"), "kind")),
            word("told", data.path("told").path("code")),
            ink.word(text(data, "outcome")),
            text(data, "reason"),
            text(data, "cause"),
            word("took", data.path("totalMillis"), " ms"))
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** The last gate that was asked decided. */
  private static String ruled(JsonNode rulings, Ink ink) {
    JsonNode last = rulings.path(rulings.size() - 1);
    return last.isObject()
        ? text(last, "gate") + ": " + ink.word(text(last.path("verdict"), "kind"))
        : "";
  }

  private static String word(String word, JsonNode value) {
    return word(word, value, "");
  }

  private static String word(String word, JsonNode value, String unit) {
    String text = Cells.of(value);
    return text.isEmpty() ? "" : word + " " + text + unit;
  }

  private static String text(JsonNode node, String member) {
    return Cells.of(node.path(member));
  }
}
