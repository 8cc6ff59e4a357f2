package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.AsOfOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PastedId;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook lookup}: shows what happened to a call. */
@Command(
    name = "lookup",
    description = {
      "Shows what happened to the calls that have an id, step by step, and the trees of tasks that"
          + " have it."
    },
    footer = {
      "",
      "Exit code: 0 found, 1 not found, 2 usage.",
      "Example: gatebook lookup 0199c0de-0000-7000-8000-000000000000"
    })
public final class LookupCommand implements Callable<Integer> {

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final AsOfOption asOfOption = new AsOfOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description =
          "Any id of the call: its own, or that of its correlation, trace, task, approval; or the"
              + " id of a tree.")
  private List<String> pasted = List.of();

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params().put("id", PastedId.in(pasted, spec));
    asOfOption.addTo(params);
    return new ServerQuery(spec, server, jsonOption)
        .call("audit.lookup", params, LookupCommand::isFound, this::lines);
  }

  private static boolean isFound(JsonNode result) {
    return !result.path("calls").isEmpty() || !result.path("trees").isEmpty();
  }

  private List<String> lines(JsonNode result) {
    if (!isFound(result)) {
      return List.of("not found: " + TextCells.of(result.path("notFound").path("message")));
    }
    List<String> lines = new ArrayList<>();
    for (JsonNode call : result.path("calls")) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(Timeline.of(call, colours));
      if (call.path("archived").asBoolean()) {
        lines.add("events of this call were read from the archive, which takes longer");
      }
    }
    if (result.path("more").asBoolean()) {
      lines.add("");
      lines.add("and older calls");
    }
    List<String> trees = DrawTreeCommand.drawn(result, colours);
    if (!lines.isEmpty() && !trees.isEmpty()) {
      lines.add("");
    }
    lines.addAll(trees);
    return lines;
  }
}
