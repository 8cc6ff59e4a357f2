package gatebook.api.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Cells;
import gatebook.api.ask.Ink;
import gatebook.api.ask.Words;
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
  private final Ink ink;
  private final Elapsed elapsed;

  private Timeline(JsonNode call, Ink ink) {
    this.call = call;
    this.ink = ink;
    this.elapsed = Elapsed.of(call.path("events"));
  }

  static List<String> of(JsonNode call, Ink ink) {
    return new Timeline(call, ink).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(Words.joined("call", Cells.of(call, "callId"), outcome()));
    lines.add(
        Words.joined(
            "  ",
            Cells.of(call, "dialect"),
            Cells.of(call, "method"),
            Cells.of(call, "target"),
            named("by", call, "principal"),
            named("at", call, "receivedAt"),
            named("correlation", call, "correlationId"),
            call.path("durationMillis").isNumber() ? Words.named("took", elapsed.whole()) : ""));
    lines.add("");
    lines.addAll(Cells.aligned(rows()));
    return lines;
  }

  private String outcome() {
    String status = Cells.of(call, "status");
    return Words.joined(
        status.isEmpty() ? "" : (OPEN.contains(status) ? "is " : "was ") + ink.word(status),
        named("by gate", call, "gate"),
        named("with", call, "code"),
        ink.bad(Cells.of(call, "fault")));
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
      rows.add(timed(micros(part), "", Cells.of(part, "on"), says));
    }
    List<String> says = says(event.path("data"), rulings);
    rows.add(
        timed(
            endsHere ? micros(spent.getLast()) : 0,
            "#" + Cells.of(event, "position"),
            kind(event),
            says.isEmpty() ? "" : says.getFirst()));
    says.stream().skip(1).forEach(more -> rows.add(List.of("", "", "", "", more)));
    return rows;
  }

  private List<String> timed(long micros, String position, String event, String says) {
    String step = elapsed.step(micros);
    return List.of("+" + elapsed.sinceStart(), step, position, event, says);
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
    String name = Cells.of(event, "name");
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
      case "outcome" -> name + " " + ink.word(Cells.of(value));
      default -> name + " " + Cells.of(value);
    };
  }

  private static String rules(JsonNode hash) {
    String text = Cells.of(hash);
    return text.isEmpty() ? "" : "rules " + text.substring(0, Math.min(text.length(), RULES_CHARS));
  }

  private static String content(JsonNode kept) {
    return Words.joined(
        Cells.of(kept, "sizeBytes") + " bytes",
        Cells.of(kept.path("redacted")),
        kept.has("beginning") ? Cells.of(kept, "beginning") + "…" : "");
  }

  private List<String> ruled(JsonNode data) {
    return elements(data.path("rulings")).stream()
        .map(ruling -> ruling(ruling, rules(data.path("rulesHash"))))
        .toList();
  }

  private String ruling(JsonNode ruling, String rules) {
    JsonNode verdict = ruling.path("verdict");
    String basis =
        Stream.of(Words.without(OF_EVERY_RULING, ruling), rules)
            .filter(it -> !it.isEmpty())
            .collect(Collectors.joining(", "));
    return Words.joined(
        Cells.of(ruling, "gate") + ":",
        ink.word(Cells.of(verdict, "kind")),
        Cells.of(verdict, "reason"),
        Cells.of(verdict, "workflow"),
        Cells.of(verdict, "detail"),
        basis.isEmpty() ? "" : "(" + basis + ")",
        Words.named("in", Cells.of(ruling, "tookMicros") + " µs"));
  }

  private String fault(JsonNode fault) {
    String details = Words.without(Set.of("kind"), fault);
    return fault.isMissingNode()
        ? ""
        : Words.joined(
            "because", ink.bad(Cells.of(fault, "kind")) + (details.isEmpty() ? "" : ":"), details);
  }

  /** That the caller was told the correlation id goes without saying. */
  private String told(JsonNode told) {
    String data = Words.without(Set.of("correlation_id"), told.path("data"));
    return told.isMissingNode()
        ? ""
        : Words.joined(
            "told",
            ink.bad(Cells.of(told, "code")),
            Cells.of(told, "message"),
            data.isEmpty() ? "" : "(" + data + ")");
  }

  private static String named(String name, JsonNode node, String member) {
    return Words.named(name, Cells.of(node, member));
  }
}
