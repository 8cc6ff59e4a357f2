package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.CursorOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.LimitOption;
import gatebook.api.cli.option.PastedId;
import gatebook.api.cli.option.PeriodOptions;
import gatebook.api.cli.option.PrincipalOption;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook calls}: lists the calls that match filters. */
@Command(
    name = "calls",
    description = "Shows the calls that match all given options, newest first.",
    footer = {"", "Example: gatebook calls --status denied --principal alice --since 7d"})
public final class CallsCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of(
          "receivedAt",
          "callId",
          "status",
          "gate",
          "code",
          "dialect",
          "method",
          "target",
          "principal",
          "durationMillis",
          "correlationId");

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final PrincipalOption principalOption = new PrincipalOption();
  @Mixin private final LimitOption limitOption = new LimitOption();
  @Mixin private final CursorOption cursorOption = new CursorOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final PeriodOptions periodOptions = new PeriodOptions();

  @Option(
      names = "--status",
      paramLabel = "S",
      description =
          "answered, failed, denied, held, forwarded, refused, abandoned or orphaned calls.")
  private @Nullable String status;

  @Option(names = "--gate", paramLabel = "G", description = "Denied by this gate.")
  private @Nullable String gate;

  @Option(
      names = "--dialect",
      paramLabel = "D",
      description = "Of callers of this dialect: mcp, daemon, …")
  private @Nullable String dialect;

  @Option(names = "--method", paramLabel = "M", description = "Of this method.")
  private @Nullable String method;

  @Option(
      names = "--tool",
      paramLabel = "T",
      description = "Of this tool, resource, prompt, skill or method of a source.")
  private @Nullable String tool;

  /** The name of this option in scripts that were written for earlier versions. */
  @Option(names = "--target", hidden = true)
  void setTarget(String target) {
    this.tool = target;
  }

  @Option(names = "--code", paramLabel = "C", description = "Answered with this error code.")
  private @Nullable Integer code;

  @Option(names = "--fault", paramLabel = "F", description = "Ended by this kind of fault.")
  private @Nullable String fault;

  @Option(
      names = "--correlation",
      paramLabel = "ID",
      converter = PastedId.class,
      description = "With this correlation id.")
  private @Nullable String correlation;

  @Override
  public Integer call() throws InterruptedException {
    return new ServerQuery(spec, server, jsonOption)
        .call("audit.calls", params(), _ -> true, this::lines);
  }

  private ObjectNode params() {
    ObjectNode params = ServerQuery.params();
    periodOptions.addTo(params);
    put(params, "status", status);
    put(params, "gate", gate);
    put(params, "dialect", dialect);
    put(params, "method", method);
    put(params, "target", tool);
    principalOption.name().ifPresent(name -> params.put("principal", name));
    put(params, "fault", fault);
    put(params, "correlationId", correlation);
    cursorOption.addTo(params);
    if (code != null) {
      params.put("code", code);
    }
    limitOption.addTo(params);
    return params;
  }

  private static void put(ObjectNode params, String name, @Nullable String value) {
    if (value != null) {
      params.put(name, value);
    }
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("calls").isEmpty()) {
      lines.add("no such calls");
    } else {
      lines.addAll(TextCells.table(COLUMNS, result.path("calls"), this::paint));
    }
    lines.addAll(CursorOption.notes(result));
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  private String paint(String column, String text) {
    return column.equals("status") ? colours.word(text) : text;
  }
}
