package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;

/** Formats a verification report as text. */
final class ReportText {
  private ReportText() {}

  static String of(VerifyResult.Checked checked, String journal) {
    JsonNode report = checked.report();
    JsonNode totals = report.path("totals");
    List<String> lines = new ArrayList<>();
    add(lines, "journal", journal);
    add(lines, "checked", checked(totals));
    basis(lines, report);
    JsonNode dropped = report.path("dropped");
    if (!dropped.isMissingNode()) {
      add(
          lines,
          "dropped",
          "through %s (event %d): %s, of which the leaves are there"
              .formatted(
                  dropped.path("throughAt").asText(),
                  dropped.path("through").longValue(),
                  number(dropped.path("events").longValue(), "event")));
    }
    add(lines, "root", totals.path("root").asText());
    add(lines, "signed", signed(totals));
    add(lines, "not yet", notCovered(totals.path("notCovered").longValue()));
    add(lines, "key", report.path("verifierKey").asText() + " (keep it elsewhere)");
    findings(lines, report);
    keys(lines, report);
    if (!checked.note().isEmpty()) {
      add(lines, "done", checked.note());
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** Nothing is said of stamps where there are none. */
  private static void basis(List<String> lines, JsonNode report) {
    JsonNode stamped = report.path("stamped");
    long stamps = stamped.path("stamps").longValue();
    if (stamps > 0) {
      add(lines, "read", ranges(report.path("read")));
      add(
          lines,
          "stamped",
          "%s: verified before, as %s, the oldest of %s; --all reads them again"
              .formatted(
                  ranges(stamped),
                  stamps == 1 ? "1 stamp says" : stamps + " stamps say",
                  stamped.path("oldestAt").asText()));
    }
    JsonNode refused = report.path("refusedStamps");
    long count = refused.path("count").longValue();
    if (count > 0) {
      add(lines, "refused", number(count, "stamp") + ": what a refused stamp is about was read");
      refused.path("stamps").forEach(stamp -> lines.add("  " + refusedStamp(stamp)));
      if (count > refused.path("stamps").size()) {
        lines.add("  and %d more, not listed".formatted(count - refused.path("stamps").size()));
      }
    }
  }

  private static String refusedStamp(JsonNode stamp) {
    return TextCells.of(stamp.path("file").asText() + ": " + stamp.path("why").asText());
  }

  private static String ranges(JsonNode events) {
    List<String> ranges = new ArrayList<>();
    for (JsonNode range : events.path("ranges")) {
      ranges.add(
          "%d to %d".formatted(range.path("from").longValue(), range.path("to").longValue()));
    }
    return ranges.isEmpty() ? "no event" : "events " + String.join(", ", ranges);
  }

  private static void findings(List<String> lines, JsonNode report) {
    long failing = report.path("failing").longValue();
    long accepted = report.path("accepted").longValue();
    add(lines, "wrong", failing == 0 ? "nothing" : number(failing, "thing"));
    if (accepted > 0) {
      add(lines, "accepted", number(accepted, "thing"));
    }
    report.path("findings").forEach(finding -> lines.add("  " + finding(finding)));
    long notTold = report.path("notTold").longValue();
    if (notTold > 0) {
      lines.add("  and %d more, not listed".formatted(notTold));
    }
  }

  /** Nothing is said where no key is missing. */
  private static void keys(List<String> lines, JsonNode report) {
    JsonNode missing = report.path("missingKeys");
    long events = missing.path("events").longValue();
    if (events > 0) {
      String unread =
          report.path("stamped").path("stamps").longValue() > 0
              ? "; what is stamped was not looked at: --all reads it"
              : "";
      add(
          lines,
          "keys",
          "%s, from position %d to %d, have content whose key is missing and was not erased%s"
              .formatted(
                  number(events, "event"),
                  missing.path("first").longValue(),
                  missing.path("last").longValue(),
                  unread));
      add(lines, "", "put the keys back, with gatebook restore keys FILE or from a copy");
    }
    if (missing.path("notChecked").isTextual()) {
      add(lines, "keys", "not looked for: " + TextCells.of(missing.path("notChecked").asText()));
    }
  }

  private static String finding(JsonNode finding) {
    JsonNode accepted = finding.path("accepted");
    String message = TextCells.of(finding.path("message").asText());
    return accepted.isObject()
        ? "%s (accepted by %s at position %d: %s)"
            .formatted(
                message,
                TextCells.of(accepted.path("operator").asText()),
                accepted.path("position").longValue(),
                TextCells.of(accepted.path("reason").asText()))
        : message;
  }

  private static String checked(JsonNode totals) {
    return "%s, the last at position %d"
        .formatted(
            number(totals.path("events").longValue(), "event"),
            totals.path("lastPosition").longValue());
  }

  private static String signed(JsonNode totals) {
    return "%s, the newest that agrees over %s"
        .formatted(
            number(totals.path("checkpoints").longValue(), "checkpoint"),
            number(totals.path("newestCheckpointSize").longValue(), "event"));
  }

  private static String notCovered(long events) {
    return events == 0
        ? "every event is covered by a checkpoint"
        : number(events, "event") + " after that: an edit of those may not be found";
  }

  private static String number(long count, String thing) {
    return count == 1 ? "1 " + thing : count + " " + thing + "s";
  }

  private static void add(List<String> lines, String word, String text) {
    lines.add("%-9s %s".formatted(word, text));
  }
}
