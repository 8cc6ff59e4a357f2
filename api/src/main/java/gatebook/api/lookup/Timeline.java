package gatebook.api.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Cells;
import gatebook.api.ask.Ink;
import gatebook.api.ask.Words;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A call for a person to read: what came of it, then each event with what it says, how long after
 * the first it was, and how long after the one before.
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

  private static final Set<String> OF_EVERY_RULING = Set.of("gate", "verdict", "tookMicros");
  private static final List<String> COLUMNS =
      List.of("since start", "step", "position", "event", "");
  private static final int RULES_CHARS = 19;
  private static final double EXACT_MILLIS_MIN = 0.05;
  private static final double EXACT_MILLIS_MAX = 10;
  private static final double NANOS_PER_MILLI = 1e6;

  private final JsonNode call;
  private final Ink ink;

  private Timeline(JsonNode call, Ink ink) {
    this.call = call;
    this.ink = ink;
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
            named("took", call, "durationMillis", " ms")));
    lines.add("");
    lines.addAll(Cells.aligned(rows()));
    return lines;
  }

  private String outcome() {
    String status = Cells.of(call, "status");
    return Words.joined(
        status.isEmpty() ? "" : "was " + ink.word(status),
        named("by gate", call, "gate"),
        named("with", call, "code"),
        ink.bad(Cells.of(call, "fault")));
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(COLUMNS);
    JsonNode events = call.path("events");
    Instant first = at(events.path(0));
    Instant before = first;
    for (JsonNode event : events) {
      rows.addAll(rows(event, first, before));
      before = at(event);
    }
    return rows;
  }

  private List<List<String>> rows(JsonNode event, Instant first, Instant before) {
    List<String> says = says(event.path("data"));
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "+" + millis(first, at(event)),
            millis(before, at(event)),
            "#" + Cells.of(event, "position"),
            kind(event),
            says.isEmpty() ? "" : says.getFirst()));
    says.stream().skip(1).forEach(more -> rows.add(List.of("", "", "", "", more)));
    return rows;
  }

  /** Short ones to a tenth: many steps take less than a millisecond. */
  private static String millis(Instant from, Instant to) {
    double millis = Duration.between(from, to).toNanos() / NANOS_PER_MILLI;
    return millis >= EXACT_MILLIS_MIN && millis < EXACT_MILLIS_MAX
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : Math.round(millis) + " ms";
  }

  /** {@code CallReceived} of {@code gatebook.CallReceived}. */
  private static String kind(JsonNode event) {
    String name = Cells.of(event, "name");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private List<String> says(JsonNode data) {
    return Stream.of(
            Stream.of(members(data)),
            ruled(data),
            Stream.of(fault(data.path("fault")), told(data.path("told"))))
        .flatMap(lines -> lines)
        .filter(line -> !line.isBlank())
        .toList();
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

  private Stream<String> ruled(JsonNode data) {
    return StreamSupport.stream(data.path("rulings").spliterator(), false)
        .map(ruling -> ruling(ruling, rules(data.path("rulesHash"))));
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
        named("in", ruling, "tookMicros", " µs"));
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

  private static Instant at(JsonNode event) {
    try {
      return Instant.parse(Cells.of(event, "at"));
    } catch (DateTimeException _) {
      return Instant.EPOCH;
    }
  }

  private static String named(String name, JsonNode node, String member) {
    return named(name, node, member, "");
  }

  private static String named(String name, JsonNode node, String member, String unit) {
    String value = Cells.of(node, member);
    return value.isEmpty() ? "" : Words.named(name, value + unit);
  }
}
