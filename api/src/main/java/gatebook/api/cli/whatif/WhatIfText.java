package gatebook.api.cli.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the report of a what-if as text. */
final class WhatIfText {
  private static final int CHANGE_CHARS = 18;

  private WhatIfText() {}

  static List<String> lines(JsonNode report) {
    List<String> lines = new ArrayList<>();
    lines.add("candidate  " + TextCells.of(report.path("candidate")));
    JsonNode range = report.path("range");
    lines.add(read(range));
    if (range.path("droppedThrough").isNumber()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "dropped    events up to position %,d were dropped for good: their calls are missing",
              range.path("droppedThrough").asLong()));
    }
    lines.add(calls(report.path("calls")));
    lines.add("");
    report
        .path("changes")
        .properties()
        .forEach(it -> lines.add(count(it.getKey(), it.getValue().asLong())));
    for (JsonNode reason : report.path("notReplayable")) {
      lines.add(
          count("not replayable", reason.path("count").asLong())
              + "  "
              + TextCells.of(reason.path("reason"))
              + ": "
              + TextCells.of(reason.path("message")));
    }
    lines.add("");
    lines.add(check(report.path("selfCheck")));
    for (JsonNode group : report.path("groups")) {
      lines.add("");
      lines.addAll(group(group));
    }
    JsonNode leftOut = report.path("leftOut").path("calls");
    leftOut
        .properties()
        .forEach(it ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "and %,d calls that are %s in groups that are not shown",
                    it.getValue().asLong(),
                    it.getKey())));
    return lines;
  }

  private static String read(JsonNode range) {
    long first = range.path("after").asLong() + 1;
    long last = range.path("upTo").asLong();
    String what =
        first > last
            ? "nothing in that time"
            : String.format(Locale.ROOT, "positions %,d to %,d", first, last);
    return String.format(
        Locale.ROOT,
        "read       %s of the log %s, under a checkpoint over %,d events",
        what,
        TextCells.of(range.path("origin")),
        range.path("size").asLong());
  }

  private static String calls(JsonNode calls) {
    String sample =
        calls.path("sample").isNumber()
            ? String.format(
                Locale.ROOT,
                ", a sample of %,d: those whose ids have the lowest SHA-256",
                calls.path("decided").asLong())
            : "";
    return String.format(
        Locale.ROOT,
        "calls      %,d recorded%s, %,d replayed",
        calls.path("recorded").asLong(),
        sample,
        calls.path("replayed").asLong());
  }

  private static String count(String what, long count) {
    return String.format(Locale.ROOT, "%-" + CHANGE_CHARS + "s %,10d", what, count);
  }

  private static String check(JsonNode check) {
    String faults =
        check.path("faults").asLong() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                ", and decide %,d otherwise: that is a fault of Gatebook, see %s",
                check.path("faults").asLong(),
                TextCells.of(check.path("examples").path(0)));
    return String.format(
        Locale.ROOT,
        "self-check: the rules of then decide %,d calls as recorded%s; %,d were decided by other"
            + " versions of the gates' logic, %,d could not be checked",
        check.path("agrees").asLong(),
        faults,
        check.path("otherLogic").asLong(),
        check.path("notChecked").asLong());
  }

  private static List<String> group(JsonNode group) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s  %,d calls of %s to %s",
            TextCells.of(group.path("change")),
            group.path("count").asLong(),
            TextCells.of(group.path("principal")),
            TextCells.of(group.path("target"))));
    lines.add(
        "  %s -> %s%s"
            .formatted(
                TextCells.of(group.path("before")),
                TextCells.of(group.path("after")),
                group.path("code").isNumber() ? ", error code " + group.path("code").asInt() : ""));
    if (group.path("gate").isTextual()) {
      lines.add(
          "  by %s, %s"
              .formatted(TextCells.of(group.path("gate")), TextCells.of(group.path("rule"))));
    }
    lines.add(
        "  first %s, last %s, such as %s"
            .formatted(
                TextCells.of(group.path("first")),
                TextCells.of(group.path("last")),
                TextCells.of(group.path("examples").path(0))));
    return lines;
  }
}
