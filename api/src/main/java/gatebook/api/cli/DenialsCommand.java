package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.AsOfOption;
import gatebook.api.cli.option.CursorOption;
import gatebook.api.cli.option.DenialMember;
import gatebook.api.cli.option.GroupMember;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.LimitOption;
import gatebook.api.cli.option.PeriodOptions;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.TextCells;
import gatebook.api.cli.text.VerdictText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code gatebook denials}: counts denied calls, or lists them. */
@Command(
    name = "denials",
    description = "Counts or lists the calls that the gates denied.",
    footer = {
      "",
      "Exit code: 0 counted, 1 no answer, 2 usage.",
      "Example: gatebook denials --since 24h --by gate,tool",
      "Example: gatebook denials --calls --observed"
    })
public final class DenialsCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of(
          "at",
          "callId",
          "gate",
          "reason",
          "dialect",
          "code",
          "target",
          "principal",
          "correlationId");

  private static final List<String> OBSERVED_COLUMNS =
      List.of("at", "callId", "status", "target", "principal", "decided", "observed");

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final AsOfOption asOfOption = new AsOfOption();
  @Mixin private final LimitOption limitOption = new LimitOption();
  @Mixin private final CursorOption cursorOption = new CursorOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final PeriodOptions periodOptions = new PeriodOptions();

  @Option(
      names = "--by",
      paramLabel = "MEMBER",
      split = ",",
      converter = DenialMember.class,
      description =
          "Counts by gate (the default), tool, principal, reason, code, minute, hour or day, or by"
              + " several of them, separated by commas.")
  private List<String> by = new ArrayList<>();

  @Option(
      names = "--observed",
      description = "Those that the observed candidate would deny instead, with both verdicts.")
  private boolean isObserved;

  @Option(
      names = "--calls",
      description = "Lists the calls, newest first, instead of counting them.")
  private boolean isList;

  @Override
  public Integer call() throws InterruptedException {
    if (!isList && cursorOption.isGiven()) {
      throw usageError("--cursor continues a list: give --calls, too");
    }
    if (isList && (!by.isEmpty() || asOfOption.isGiven())) {
      throw usageError("--by and --as-of count: leave them out, or --calls");
    }
    return new ServerQuery(spec, server, jsonOption)
        .call(
            isList ? "audit.deniedCalls" : "audit.denials",
            params(),
            _ -> true,
            isList ? this::listLines : this::countLines);
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private ObjectNode params() {
    ObjectNode params = ServerQuery.params();
    periodOptions.addTo(params);
    asOfOption.addTo(params);
    GroupMember.addTo(params, by);
    limitOption.addTo(params);
    cursorOption.addTo(params);
    if (isObserved) {
      params.put("observed", true);
    }
    return params;
  }

  private List<String> countLines(JsonNode result) {
    List<String> lines = lines(result.path("groups"), columns(), this::paintCount);
    if (!result.path("groups").isEmpty()) {
      lines.add("");
      lines.add("total " + TextCells.of(result.path("total")));
    }
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  private List<String> columns() {
    Stream<String> members = by.isEmpty() ? Stream.of("gate") : GroupMember.columns(by);
    return Stream.concat(members, Stream.of("count", "lastAt", "lastCallId")).toList();
  }

  private String paintCount(String column, String text) {
    return column.equals("count") && !text.equals("0") ? colours.bad(text) : text;
  }

  private List<String> listLines(JsonNode result) {
    JsonNode calls = result.path("calls");
    calls.forEach(DenialsCommand::addVerdictTexts);
    List<String> lines = lines(calls, isObserved ? OBSERVED_COLUMNS : COLUMNS, (_, text) -> text);
    lines.addAll(CursorOption.notes(result));
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  /** A cell of the table has a text: what is decided, by which gate, and why. */
  private static void addVerdictTexts(JsonNode call) {
    if (call instanceof ObjectNode row && row.path("decided").isObject()) {
      row.put("decided", VerdictText.ruling(row.path("decided"), UnaryOperator.identity(), ""));
      row.put("observed", VerdictText.observed(row.path("observed"), UnaryOperator.identity(), ""));
    }
  }

  private List<String> lines(JsonNode rows, List<String> columns, BinaryOperator<String> paint) {
    return new ArrayList<>(
        rows.isEmpty()
            ? List.of(isObserved ? "no calls would be denied" : "no calls were denied")
            : TextCells.table(columns, rows, paint));
  }
}
