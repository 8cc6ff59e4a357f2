package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.ErrorMember;
import gatebook.api.cli.option.GroupMember;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.LimitOption;
import gatebook.api.cli.option.PeriodOptions;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.Durations;
import gatebook.api.cli.text.Sparkline;
import gatebook.api.cli.text.TextCells;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook errors}: groups equal error responses. */
@Command(
    name = "errors",
    description = {
      "Groups the error responses that callers got, with their times and their trend.",
      "A group has one dialect, code, fault, gate and tool; codes that a source invented are all"
          + " \"other\".",
      "The trend compares the later half of the period with the earlier one: new, rising, steady,"
          + " falling, or unclear when there are too few errors or the period is too short.",
      "With --by, it compares the last hour with the day before it; a minute, hour or day has none."
    },
    footer = {
      "",
      "Exit code: 0 counted, 1 no answer, 2 usage.",
      "Example: gatebook errors --since 7d",
      "Example: gatebook errors --by agent,skill,code"
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

  private static final List<String> RATE_COLUMNS =
      List.of("trend", "lastHour", "dayBefore", "dayBeforeHours", "count", "sparkline");

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final LimitOption limitOption = new LimitOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final PeriodOptions periodOptions = new PeriodOptions();

  @Option(
      names = "--by",
      paramLabel = "MEMBER",
      split = ",",
      converter = ErrorMember.class,
      description =
          "Groups by fault, code, gate, tool, agent, skill, minute, hour or day, or by several of"
              + " them, separated by commas. Agent and skill leave out all errors but those of"
              + " agents.")
  private List<String> by = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params();
    periodOptions.addTo(params);
    GroupMember.addTo(params, by);
    limitOption.addTo(params);
    return new ServerQuery(spec, server, jsonOption)
        .call("audit.errors", params, _ -> true, this::lines);
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("groups").isEmpty()) {
      lines.add("no errors");
    } else {
      lines.addAll(TextCells.table(columns(), withSparklines(result.path("groups")), this::paint));
      if (!isByTime()) {
        lines.add("");
        lines.add(scale(result));
      }
    }
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  private boolean isByTime() {
    return by.stream().anyMatch(ErrorMember.TIMES::contains);
  }

  private List<String> columns() {
    return by.isEmpty()
        ? COLUMNS
        : Stream.of(
                isByTime() ? Stream.of("count") : RATE_COLUMNS.stream(),
                GroupMember.columns(by),
                Stream.of("firstAt", "lastAt", "lastCallId"))
            .flatMap(it -> it)
            .toList();
  }

  private static JsonNode withSparklines(JsonNode groups) {
    ArrayNode drawn = groups.deepCopy();
    drawn.forEach(
        group -> ((ObjectNode) group).put("sparkline", Sparkline.of(group.path("sparkline"))));
    return drawn;
  }

  private static String scale(JsonNode result) {
    return "from %s until %s, %s to each mark"
        .formatted(
            TextCells.toSecond(result.path("since")),
            TextCells.toSecond(result.path("until")),
            Durations.of(
                Duration.ofMillis(Math.round(result.path("bucketSeconds").asDouble() * 1_000))));
  }

  private String paint(String column, String text) {
    return column.equals("trend") ? colours.word(text) : text;
  }
}
