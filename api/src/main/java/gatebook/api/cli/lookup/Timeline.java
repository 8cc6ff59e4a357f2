package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.Colours;
import gatebook.api.cli.ReadableJson;
import gatebook.api.cli.TextCells;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A call for a person to read: what came of it, then its steps: each gate that decided, each time
 * somebody else had the call, and each event with what it says. The steps add up to how long the
 * call took.
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

  /** Where a call stands that has not ended. */
  private static final Set<String> OPEN = Set.of("held", "forwarded");

  private static final Set<String> OF_EVERY_RULING = Set.of("gate", "verdict", "tookMicros");
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
                ? ReadableJson.named("took", elapsedTimes.whole())
                : ""));
    lines.add("");
    lines.addAll(TextCells.aligned(rows()));
    return lines;
  }

  private String outcome() {
    String status = TextCells.of(call, "status");
    return ReadableJson.joined(
        status.isEmpty() ? "" : (OPEN.contains(status) ? "is " : "was ") + colours.word(status),
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

  /** The time that led to an event stands before it; the last of it is the node's own. */
  private List<List<String>> rows(JsonNode event) {
    List<List<String>> rows = new ArrayList<>();
    List<JsonNode> spent = elements(event.path("spent"));
    boolean endsHere = !spent.isEmpty() && isOn(spent.getLast(), "node");
    List<JsonNode> before = endsHere ? spent.subList(0, spent.size() - 1) : spent;
    Iterator<String> rulings = ruled(event.path("data")).iterator();
    for (JsonNode part : before) {
      String says = isOn(part, "gate") && rulings.hasNext() ? rulings.next() : "";
      rows.add(timed(micros(part), "", TextCells.of(part, "on"), says));
    }
    List<String> says = says(event.path("data"), rulings);
    rows.add(
        timed(
            endsHere ? micros(spent.getLast()) : 0,
            "#" + TextCells.of(event, "position"),
            kind(event),
            says.isEmpty() ? "" : says.getFirst()));
    says.stream().skip(1).forEach(more -> rows.add(List.of("", "", "", "", more)));
    return rows;
  }

  private List<String> timed(long micros, String position, String event, String says) {
    String step = elapsedTimes.step(micros);
    return List.of("+" + elapsedTimes.sinceStart(), step, position, event, says);
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
  private static String kind(JsonNode event) {
    String name = TextCells.of(event, "name");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Rulings that took no time here are those of before. */
  private List<String> says(JsonNode data, Iterator<String> rulings) {
    List<String> says = new ArrayList<>();
    says.add(members(data));
    rulings.forEachRemaining(says::add);
    says.add(fault(data.path("fault")));
    says.add(told(data.path("told")));
    return says.stream().filter(line -> !line.isBlank()).toList();
  }

  /** The rules stand beside each verdict, where there are any. */
  private String members(JsonNode data) {
    boolean isRuled = !data.path("rulings").isEmpty();
    return data.properties().stream()
        .filter(member -> !LEFT_OUT.contains(member.getKey()))
        .filter(member -> !isRuled || !member.getKey().equals("rulesHash"))
        .map(member -> shown(member.getKey(), member.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String shown(String name, JsonNode value) {
    return switch (name) {
      case "rulesHash" -> rules(value);
      case "arguments", "result" -> name + " " + content(value);
      case "outcome" -> name + " " + colours.word(TextCells.of(value));
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

  private List<String> ruled(JsonNode data) {
    return elements(data.path("rulings")).stream()
        .map(ruling -> ruling(ruling, rules(data.path("rulesHash"))))
        .toList();
  }

  private String ruling(JsonNode ruling, String rules) {
    JsonNode verdict = ruling.path("verdict");
    String basis =
        Stream.of(ReadableJson.without(OF_EVERY_RULING, ruling), rules)
            .filter(it -> !it.isEmpty())
            .collect(Collectors.joining(", "));
    return ReadableJson.joined(
        TextCells.of(ruling, "gate") + ":",
        colours.word(TextCells.of(verdict, "kind")),
        TextCells.of(verdict, "reason"),
        TextCells.of(verdict, "workflow"),
        TextCells.of(verdict, "detail"),
        basis.isEmpty() ? "" : "(" + basis + ")",
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

  /** That the caller was told the correlation id goes without saying. */
  private String told(JsonNode told) {
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
