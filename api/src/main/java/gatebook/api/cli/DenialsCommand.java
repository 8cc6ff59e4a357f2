package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.AsOfOption;
import gatebook.api.cli.option.DenialMember;
import gatebook.api.cli.option.GroupMember;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.LimitOption;
import gatebook.api.cli.option.PeriodOptions;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook denials}: counts denied calls. */
@Command(
    name = "denials",
    description = "Counts the calls that the gates denied.",
    footer = {
      "",
      "Exit code: 0 counted, 1 no answer, 2 usage.",
      "Example: gatebook denials --since 24h --by gate,tool"
    })
public final class DenialsCommand implements Callable<Integer> {

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final AsOfOption asOfOption = new AsOfOption();
  @Mixin private final LimitOption limitOption = new LimitOption();
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
      description = "Counts instead the calls that the observed candidate would deny.")
  private boolean isObserved;

  @Override
  public Integer call() throws InterruptedException {
    return new ServerQuery(spec, server, jsonOption)
        .call("audit.denials", params(), _ -> true, this::lines);
  }

  private ObjectNode params() {
    ObjectNode params = ServerQuery.params();
    periodOptions.addTo(params);
    asOfOption.addTo(params);
    GroupMember.addTo(params, by);
    limitOption.addTo(params);
    if (isObserved) {
      params.put("observed", true);
    }
    return params;
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("groups").isEmpty()) {
      lines.add(isObserved ? "no calls would be denied" : "no calls were denied");
    } else {
      lines.addAll(TextCells.table(columns(), result.path("groups"), this::paint));
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

  private String paint(String column, String text) {
    return column.equals("count") && !text.equals("0") ? colours.bad(text) : text;
  }
}
