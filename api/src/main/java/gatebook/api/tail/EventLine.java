package gatebook.api.tail;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Cells;
import gatebook.api.ask.Ink;
import gatebook.api.ask.Words;

/** An event in one line that stands under the one before. */
final class EventLine {
  private static final int AT_CHARS = 23;
  private static final String NO_CALL = " ".repeat(36);

  private EventLine() {}

  static String of(JsonNode event, Ink ink) {
    return "%s  #%-8s %-18s %s  %s"
        .formatted(
            at(event),
            Cells.of(event, "position"),
            Cells.of(event, "name"),
            event.has("callId") ? Cells.of(event, "callId") : NO_CALL,
            says(event.path("data"), ink))
        .stripTrailing();
  }

  /** To the millisecond. */
  private static String at(JsonNode event) {
    String at = Cells.of(event, "at");
    return at.length() > AT_CHARS ? at.substring(0, AT_CHARS) + "Z" : at;
  }

  private static String says(JsonNode data, Ink ink) {
    JsonNode principal = data.path("principal");
    return Words.joined(
        Cells.of(data, "method"),
        Cells.of(data, "target"),
        Words.named("by", Cells.of(principal.isObject() ? principal.path("name") : principal)),
        Words.named("by", Cells.of(data, "operator")),
        data.path("allowed").asBoolean(true) ? "" : ink.word("refused"),
        ruled(data.path("rulings"), ink),
        Cells.of(data, "workflow"),
        ink.bad(Cells.of(data.path("fault"), "kind")),
        Words.named("told", Cells.of(data.path("told"), "code")),
        ink.word(Cells.of(data, "outcome")),
        Cells.of(data, "reason"),
        Cells.of(data, "cause"),
        took(Cells.of(data, "totalMillis")));
  }

  /** The last gate that was asked decided. */
  private static String ruled(JsonNode rulings, Ink ink) {
    JsonNode last = rulings.path(rulings.size() - 1);
    return last.isObject()
        ? Cells.of(last, "gate") + ": " + ink.word(Cells.of(last.path("verdict"), "kind"))
        : "";
  }

  private static String took(String millis) {
    return millis.isEmpty() ? "" : Words.named("took", millis + " ms");
  }
}
