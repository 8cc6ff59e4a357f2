package gatebook.api.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Cells;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A call for a person to read: what came of it, then each event with what it says, and how long
 * after the first it was.
 */
final class Timeline {

  /** What is said elsewhere, or is there for programs. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "callId",
          "correlationId",
          "traceId",
          "dialect",
          "principal",
          "receivedAt",
          "rulings",
          "original",
          "bound",
          "fault",
          "told");

  private static final int RULES_CHARS = 19;

  private Timeline() {}

  static List<String> of(JsonNode call) {
    List<String> lines = new ArrayList<>();
    lines.add(words("call", text(call, "callId"), outcome(call)));
    lines.add(
        words(
            "  ",
            text(call, "dialect"),
            text(call, "method"),
            text(call, "target"),
            named("by", call, "principal"),
            named("at", call, "receivedAt"),
            named("correlation", call, "correlationId"),
            millis(call, "durationMillis")));
    lines.add("");
    List<List<String>> rows = new ArrayList<>();
    JsonNode events = call.path("events");
    Instant first = at(events.path(0));
    for (JsonNode event : events) {
      rows.addAll(rows(event, first));
    }
    lines.addAll(Cells.aligned(rows));
    return lines;
  }

  private static String outcome(JsonNode call) {
    String status = text(call, "status");
    return words(
        status.isEmpty() ? "" : "was " + status,
        named("by gate", call, "gate"),
        named("with", call, "code"),
        text(call, "fault"));
  }

  private static List<List<String>> rows(JsonNode event, Instant first) {
    JsonNode data = event.path("data");
    List<String> says = says(data);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "+%d ms".formatted(Duration.between(first, at(event)).toMillis()),
            "#" + text(event, "position"),
            kind(event),
            says.isEmpty() ? "" : says.getFirst()));
    says.stream().skip(1).forEach(more -> rows.add(List.of("", "", "", more)));
    return rows;
  }

  /** {@code CallReceived} of {@code gatebook.CallReceived}. */
  private static String kind(JsonNode event) {
    String name = text(event, "name");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static List<String> says(JsonNode data) {
    return Stream.of(
            Stream.of(members(data)),
            ruled(data.path("rulings")),
            Stream.of(fault(data.path("fault")), told(data.path("told"))))
        .flatMap(lines -> lines)
        .filter(line -> !line.isBlank())
        .toList();
  }

  private static String members(JsonNode data) {
    return data.properties().stream()
        .filter(member -> !LEFT_OUT.contains(member.getKey()))
        .map(member -> member.getKey() + " " + shown(member.getKey(), member.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String shown(String name, JsonNode value) {
    return switch (name) {
      case "rulesHash" -> beginning(Cells.of(value));
      case "arguments", "result" -> content(value);
      default -> Cells.of(value);
    };
  }

  private static String beginning(String hash) {
    return hash.substring(0, Math.min(hash.length(), RULES_CHARS));
  }

  private static String content(JsonNode kept) {
    return words(
        text(kept, "sizeBytes") + " bytes",
        Cells.of(kept.path("redacted")),
        kept.has("beginning") ? text(kept, "beginning") + "…" : "");
  }

  private static Stream<String> ruled(JsonNode rulings) {
    return StreamSupport.stream(rulings.spliterator(), false).map(Timeline::ruling);
  }

  private static String ruling(JsonNode ruling) {
    JsonNode verdict = ruling.path("verdict");
    String basis =
        ruling.properties().stream()
            .filter(member -> !Set.of("gate", "verdict", "tookMicros").contains(member.getKey()))
            .filter(member -> !member.getValue().isContainerNode() || !member.getValue().isEmpty())
            .map(member -> member.getKey() + " " + Cells.of(member.getValue()))
            .collect(Collectors.joining(", "));
    return words(
        text(ruling, "gate") + ":",
        text(verdict, "kind"),
        text(verdict, "reason"),
        text(verdict, "workflow"),
        text(verdict, "detail"),
        basis.isEmpty() ? "" : "(" + basis + ")",
        named("in", ruling, "tookMicros", " µs"));
  }

  private static String fault(JsonNode fault) {
    return fault.isMissingNode() ? "" : "because " + Cells.of(fault);
  }

  private static String told(JsonNode told) {
    return told.isMissingNode()
        ? ""
        : words("told", text(told, "code"), text(told, "message"), Cells.of(told.path("data")));
  }

  private static Instant at(JsonNode event) {
    try {
      return Instant.parse(text(event, "at"));
    } catch (DateTimeException _) {
      return Instant.EPOCH;
    }
  }

  private static String millis(JsonNode node, String member) {
    return named("took", node, member, " ms");
  }

  private static String named(String name, JsonNode node, String member) {
    return named(name, node, member, "");
  }

  private static String named(String name, JsonNode node, String member, String unit) {
    String value = text(node, member);
    return value.isEmpty() ? "" : name + " " + value + unit;
  }

  private static String text(JsonNode node, String member) {
    return Cells.of(node.path(member));
  }

  private static String words(String... words) {
    return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
  }
}
