package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gatebook errors}: what callers were told went wrong, the same together. */
@Command(
    name = "errors",
    description = {
      "Groups the errors that callers were told, with when they came and whether they get more.",
      "Equal are those of one dialect, code, fault, gate and target; codes that a source made up"
          + " are",
      "all \"other\".",
      "The trend is that of the later half of the time against the earlier one: new, rising,"
          + " steady,",
      "falling, or unclear where there were too few, or it was too short a time, to tell."
    },
    footer = {
      "",
      "Exit code: 0 counted, 1 no answer, 2 usage.",
      "Example: gatebook errors --since 7d"
    })
public final class ErrorsCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of(
          "trend",
          "count",
          "sparkline",
          "dialect",
          "code",
          "fault",
          "gate",
          "target",
          "firstAt",
          "lastAt",
          "lastCallId");

  private final Colours colours = Colours.here();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final PeriodOptions periodOptions = new PeriodOptions();

  @Option(names = "--limit", paramLabel = "N", description = "How many groups to show at most.")
  private @Nullable Integer limit;

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params();
    periodOptions.addTo(params);
    if (limit != null) {
      params.put("limit", limit);
    }
    return new ServerQuery(spec, server, json).ask("audit.errors", params, _ -> true, this::lines);
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("groups").isEmpty()) {
      lines.add("no errors");
    } else {
      lines.addAll(TextCells.table(COLUMNS, drawn(result.path("groups")), this::painted));
      lines.add("");
      lines.add(scale(result));
    }
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  private static JsonNode drawn(JsonNode groups) {
    ArrayNode drawn = groups.deepCopy();
    drawn.forEach(
        group -> ((ObjectNode) group).put("sparkline", Sparkline.of(group.path("sparkline"))));
    return drawn;
  }

  private static String scale(JsonNode result) {
    return "from %s until %s, %s to each mark"
        .formatted(
            TextCells.second(result.path("since")),
            TextCells.second(result.path("until")),
            words(Math.round(result.path("bucketSeconds").asDouble() * 1_000)));
  }

  /** As in {@code 1 h 30 min}; to the millisecond in less than a minute. */
  private static String words(long millis) {
    List<String> words = new ArrayList<>();
    Duration duration = Duration.ofMillis(millis);
    add(words, duration.toDays(), "d");
    add(words, duration.toHoursPart(), "h");
    add(words, duration.toMinutesPart(), "min");
    add(words, duration.toSecondsPart(), "s");
    if (duration.toMinutes() == 0) {
      add(words, duration.toMillisPart(), "ms");
    }
    return words.isEmpty() ? "no time" : String.join(" ", words);
  }

  private static void add(List<String> words, long count, String unit) {
    if (count > 0) {
      words.add(count + " " + unit);
    }
  }

  private String painted(String column, String text) {
    return column.equals("trend") ? colours.word(text) : text;
  }
}
