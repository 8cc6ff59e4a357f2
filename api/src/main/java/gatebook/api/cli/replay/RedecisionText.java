package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.Durations;
import gatebook.api.cli.text.ReadableJson;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats a redecided call as text: its steps, then both decisions, then remarks. */
final class RedecisionText {

  /** The members of a ruling that are not its basis. */
  private static final Set<String> NO_BASIS =
      Set.of("gate", "verdict", "tookMicros", "cached", "engineVersion");

  /** The members of a state that are not shown as name and value. */
  private static final Set<String> NO_DETAIL = Set.of("status", "gate", "code", "fault");

  private static final int RULES_CHARS = 19;

  private RedecisionText() {}

  static List<String> of(JsonNode result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        ReadableJson.joined(
            "call",
            TextCells.of(result, "callId"),
            ReadableJson.named("correlation", TextCells.of(result, "correlationId"))));
    lines.add("");
    lines.addAll(steps(result.path("steps")));
    add(lines, then(result.path("then")));
    add(lines, now(result.path("now")));
    add(lines, notes(result));
    return lines;
  }

  private static void add(List<String> lines, List<String> paragraph) {
    if (!paragraph.isEmpty()) {
      lines.add("");
      lines.addAll(paragraph);
    }
  }

  private static List<String> steps(JsonNode steps) {
    List<List<String>> rows = new ArrayList<>();
    JsonNode before = null;
    for (JsonNode step : steps) {
      JsonNode state = step.path("state");
      rows.add(
          List.of(
              "+" + Durations.ofMillis(step.path("millis")),
              "#" + TextCells.of(step, "position"),
              TextCells.of(step, "name"),
              ReadableJson.joined(
                  TextCells.of(state, "status"),
                  ReadableJson.named("by gate", TextCells.of(state, "gate")),
                  ReadableJson.named("with", TextCells.of(state, "code")),
                  TextCells.of(state, "fault")),
              changed(state, before)));
      before = state;
    }
    return TextCells.aligned(rows);
  }

  /** The members that an event has changed. */
  private static String changed(JsonNode state, @Nullable JsonNode before) {
    return state.properties().stream()
        .filter(member -> !NO_DETAIL.contains(member.getKey()))
        .filter(member -> before == null || !member.getValue().equals(before.get(member.getKey())))
        .map(member ->
            member.getKey().endsWith("Millis")
                ? ReadableJson.member(member)
                : ReadableJson.named(member.getKey(), shortened(TextCells.of(member.getValue()))))
        .collect(Collectors.joining(", "));
  }

  private static List<String> then(JsonNode then) {
    if (then.isMissingNode()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        ReadableJson.joined(
            "then:",
            outcome(then) + ", by the rules",
            shortened(TextCells.of(then, "rulesHash")),
            ReadableJson.named("in force then, since", TextCells.of(then, "activatedAt"))));
    lines.addAll(rulings(then.path("rulings")));
    lines.add(agreement(then));
    lines.addAll(differences(then.path("differences"), "again"));
    return lines;
  }

  /** Gates may agree although something outside them decided, which the notes say. */
  private static String agreement(JsonNode then) {
    String recorded = TextCells.of(then, "recorded");
    if (!then.path("agrees").asBoolean()) {
      return "  DISAGREES with the record, which says: " + recorded;
    }
    return recorded.equals(TextCells.of(then, "outcome"))
        ? "  agrees with the record"
        : "  agrees with the record, but for what is not decided again: it was " + recorded;
  }

  private static List<String> now(JsonNode now) {
    if (now.isMissingNode()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        ReadableJson.joined(
            "now: ", outcome(now) + ", by the rules", shortened(TextCells.of(now, "rulesHash"))));
    lines.addAll(rulings(now.path("rulings")));
    lines.add(now.path("differs").asBoolean() ? "  differs" : "  comes to the same");
    lines.addAll(differences(now.path("differences"), "now"));
    return lines;
  }

  private static String outcome(JsonNode decision) {
    return ReadableJson.joined(
        TextCells.of(decision, "outcome"),
        ReadableJson.named("to", TextCells.of(decision, "source")));
  }

  private static List<String> rulings(JsonNode rulings) {
    List<List<String>> rows = new ArrayList<>();
    rulings.forEach(ruling ->
        rows.add(List.of("  " + TextCells.of(ruling, "gate"), verdict(ruling), basis(ruling))));
    return TextCells.aligned(rows);
  }

  private static List<String> differences(JsonNode differences, String again) {
    List<List<String>> rows = new ArrayList<>();
    differences.forEach(difference ->
        rows.add(
            List.of(
                "  " + (difference.has("gate") ? TextCells.of(difference, "gate") : "outcome"),
                "recorded at #%s: %s"
                    .formatted(
                        TextCells.of(difference, "position"), ruling(difference, "recorded")),
                again + ": " + ruling(difference, "again"))));
    return TextCells.aligned(rows);
  }

  private static String ruling(JsonNode difference, String member) {
    JsonNode ruling = difference.path(member);
    if (ruling.isMissingNode()) {
      return "not asked";
    }
    return ruling.isTextual()
        ? TextCells.of(ruling)
        : ReadableJson.joined(verdict(ruling), basis(ruling));
  }

  private static String verdict(JsonNode ruling) {
    JsonNode verdict = ruling.path("verdict");
    return ReadableJson.joined(
        TextCells.of(verdict, "kind"),
        TextCells.of(verdict, "reason"),
        TextCells.of(verdict, "workflow"),
        TextCells.of(verdict, "detail"));
  }

  private static String basis(JsonNode ruling) {
    String basis =
        ruling.properties().stream()
            .filter(member -> !NO_BASIS.contains(member.getKey()))
            .filter(member -> !member.getValue().isNull())
            .filter(member -> !member.getValue().isContainerNode() || !member.getValue().isEmpty())
            .map(member -> member.getKey() + " " + TextCells.of(member.getValue()))
            .collect(Collectors.joining(", "));
    return basis.isEmpty() ? "" : "(" + basis + ")";
  }

  private static List<String> notes(JsonNode result) {
    List<String> notes = new ArrayList<>();
    JsonNode not = result.path("notReplayable");
    if (!not.isMissingNode()) {
      notes.add("not replayable: " + TextCells.of(not, "message"));
    }
    result
        .path("notDecidedAgain")
        .forEach(fact -> notes.add("not decided again: " + TextCells.of(fact)));
    result.path("remarks").forEach(remark -> notes.add("note: " + TextCells.of(remark)));
    return notes;
  }

  private static String shortened(String value) {
    return value.startsWith("sha256:")
        ? value.substring(0, Math.min(value.length(), RULES_CHARS))
        : value;
  }
}
