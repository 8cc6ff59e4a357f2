package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.Durations;
import gatebook.api.cli.text.ReadableJson;
import gatebook.api.cli.text.TextCells;
import gatebook.api.cli.text.VerdictText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Formats the timeline of a call as text: its outcome, then its steps: each ruling of a gate, each
 * time spent outside the node, and each event with its details. The steps add up to the duration of
 * the call.
 */
final class Timeline {

  /** Members that are shown elsewhere, or are for programs. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "callId",
          "correlationId",
          "traceId",
          "dialect",
          "principal",
          "receivedAt",
          "rulings",
          "observed",
          "original",
          "bound",
          "fault",
          "told");

  /** The statuses of a call that has not ended. */
  private static final Set<String> PENDING = Set.of("held", "forwarded");

  private static final List<String> COLUMNS =
      List.of("since start", "step", "position", "event", "");
  private static final int RULES_CHARS = 19;

  private final JsonNode call;
  private final Colours colours;
  private final ElapsedTimes elapsedTimes;

  private Timeline(JsonNode call, Colours colours) {
    this.call = call;
    this.colours = colours;
    this.elapsedTimes = ElapsedTimes.of(call.path("events"));
  }

  static List<String> of(JsonNode call, Colours colours) {
    return new Timeline(call, colours).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(ReadableJson.joined("call", TextCells.of(call, "callId"), outcome()));
    lines.add(
        ReadableJson.joined(
            "  ",
            TextCells.of(call, "dialect"),
            TextCells.of(call, "method"),
            TextCells.of(call, "target"),
            named("by", call, "principal"),
            named("at", call, "receivedAt"),
            named("correlation", call, "correlationId"),
            call.path("durationMillis").isNumber()
                ? ReadableJson.named("took", elapsedTimes.total())
                : ""));
    lines.add("");
    lines.addAll(TextCells.aligned(rows()));
    return lines;
  }

  private String outcome() {
    String status = TextCells.of(call, "status");
    return ReadableJson.joined(
        status.isEmpty() ? "" : (PENDING.contains(status) ? "is " : "was ") + colours.word(status),
        named("by gate", call, "gate"),
        named("with", call, "code"),
        colours.bad(TextCells.of(call, "fault")));
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(COLUMNS);
    call.path("events").forEach(event -> rows.addAll(rows(event)));
    return rows;
  }

  /**
   * The rows of an event: the time spent before it, then the event itself with the node's own time,
   * which comes last.
   */
  private List<List<String>> rows(JsonNode event) {
    List<List<String>> rows = new ArrayList<>();
    List<JsonNode> spent = elements(event.path("spent"));
    boolean endsOnNode = !spent.isEmpty() && isOn(spent.getLast(), "node");
    List<JsonNode> before = endsOnNode ? spent.subList(0, spent.size() - 1) : spent;
    String unreadable = TextCells.of(event, "content");
    JsonNode data =
        unreadable.isEmpty() ? event.path("data") : withoutPlaces(event.path("data"), unreadable);
    Iterator<String> rulings = rulings(data).iterator();
    for (JsonNode part : before) {
      String details = isOn(part, "gate") && rulings.hasNext() ? rulings.next() : "";
      rows.add(timedRow(micros(part), "", TextCells.of(part, "on"), details));
    }
    List<String> details = details(unreadable, data, rulings);
    rows.add(
        timedRow(
            endsOnNode ? micros(spent.getLast()) : 0,
            "#" + TextCells.of(event, "position"),
            localName(event),
            details.isEmpty() ? "" : details.getFirst()));
    details.stream().skip(1).forEach(more -> rows.add(List.of("", "", "", "", more)));
    return rows;
  }

  private List<String> timedRow(long micros, String position, String event, String details) {
    String step = elapsedTimes.advance(micros);
    return List.of("+" + elapsedTimes.sinceStart(), step, position, event, details);
  }

  private static boolean isOn(JsonNode part, String who) {
    return part.path("on").asText().equals(who);
  }

  private static long micros(JsonNode part) {
    return part.path("micros").asLong();
  }

  private static List<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** {@code CallReceived} of {@code gatebook.CallReceived}. */
  private static String localName(JsonNode event) {
    String name = TextCells.of(event, "name");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The data of an event without the places of its content, which say that it is unreadable. */
  private static JsonNode withoutPlaces(JsonNode data, String unreadable) {
    JsonNode rest = data.deepCopy();
    removePlaces(rest, "[%s]".formatted(unreadable));
    return rest;
  }

  private static void removePlaces(JsonNode node, String place) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(member -> member.getValue().asText().equals(place));
    }
    node.forEach(child -> removePlaces(child, place));
  }

  /**
   * The details of an event. Rulings that are left over took no time here: they are from an earlier
   * decision.
   *
   * @param unreadable why content is missing in the data; empty when none is
   */
  private List<String> details(String unreadable, JsonNode data, Iterator<String> rulings) {
    List<String> details = new ArrayList<>();
    details.add(unreadable.isEmpty() ? "" : "content " + colours.bad(unreadable));
    details.add(members(data));
    rulings.forEachRemaining(details::add);
    details.add(observed(data.path("observed")));
    details.add(fault(data.path("fault")));
    details.add(errorResponse(data.path("told")));
    return details.stream().filter(line -> !line.isBlank()).toList();
  }

  /** The verdict of a candidate, which had no effect. */
  private String observed(JsonNode verdict) {
    return verdict.isObject()
        ? ReadableJson.joined(
            "observed:",
            VerdictText.observed(verdict, colours::word, rules(verdict.path("rulesHash"))))
        : "";
  }

  /** The members of an event, without the rules hash where each ruling shows it. */
  private String members(JsonNode data) {
    boolean isRuled = !data.path("rulings").isEmpty();
    return data.properties().stream()
        .filter(member -> !LEFT_OUT.contains(member.getKey()))
        .filter(member -> !isRuled || !member.getKey().equals("rulesHash"))
        .map(member -> member(member.getKey(), member.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String member(String name, JsonNode value) {
    return switch (name) {
      case "rulesHash" -> rules(value);
      case "arguments", "result" -> name + " " + content(value);
      case "outcome" -> name + " " + colours.word(TextCells.of(value));
      case String millis when millis.endsWith("Millis") && value.isNumber() ->
          millis.replace("Millis", " ") + Durations.ofMillis(value);
      default -> name + " " + TextCells.of(value);
    };
  }

  private static String rules(JsonNode hash) {
    String text = TextCells.of(hash);
    return text.isEmpty() ? "" : "rules " + text.substring(0, Math.min(text.length(), RULES_CHARS));
  }

  private static String content(JsonNode kept) {
    return ReadableJson.joined(
        TextCells.of(kept, "sizeBytes") + " bytes",
        TextCells.of(kept.path("redacted")),
        kept.has("beginning") ? TextCells.of(kept, "beginning") + "…" : "");
  }

  private List<String> rulings(JsonNode data) {
    return elements(data.path("rulings")).stream()
        .map(ruling -> ruling(ruling, rules(data.path("rulesHash"))))
        .toList();
  }

  private String ruling(JsonNode ruling, String rules) {
    return ReadableJson.joined(
        VerdictText.ruling(ruling, colours::word, rules),
        ReadableJson.named("in", TextCells.of(ruling, "tookMicros") + " µs"));
  }

  private String fault(JsonNode fault) {
    String details = ReadableJson.without(Set.of("kind"), fault);
    return fault.isMissingNode()
        ? ""
        : ReadableJson.joined(
            "because",
            colours.bad(TextCells.of(fault, "kind")) + (details.isEmpty() ? "" : ":"),
            details);
  }

  /** The error response, without the correlation id, which every caller gets. */
  private String errorResponse(JsonNode told) {
    String data = ReadableJson.without(Set.of("correlation_id"), told.path("data"));
    return told.isMissingNode()
        ? ""
        : ReadableJson.joined(
            "told",
            colours.bad(TextCells.of(told, "code")),
            TextCells.of(told, "message"),
            data.isEmpty() ? "" : "(" + data + ")");
  }

  private static String named(String name, JsonNode node, String member) {
    return ReadableJson.named(name, TextCells.of(node, member));
  }
}
