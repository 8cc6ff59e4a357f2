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
import gatebook.api.operator.client.OperatorClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook tree}: draws trees of tasks. */
@Command(
    name = "tree",
    description = {
      "Draws the trees of tasks that have an id: each task below its parent, with its status, time,"
          + " attempt, executor, call, origin and error."
    },
    footer = {
      "",
      "Exit code: 0 found, 1 not found, 2 usage.",
      "Example: gatebook tree 0199c0de-0000-7000-8000-000000000000"
    })
public final class DrawTreeCommand implements Callable<Integer> {
  private static final List<String> ABOUT_CALLS = List.of("calls", "more");

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here

  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final AsOfOption asOfOption = new AsOfOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description = "The id of a tree, of a task of it, or of a call that ran a task.")
  private List<String> pasted = List.of();

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params().put("id", PastedId.in(pasted, spec));
    asOfOption.addTo(params);
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return switch (serverQuery.call("audit.lookup", params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var result) -> show(serverQuery, result);
    };
  }

  private int show(ServerQuery serverQuery, JsonNode result) {
    if (result instanceof ObjectNode object) {
      object.remove(ABOUT_CALLS);
    }
    serverQuery.show(result, this::lines);
    return result.path("trees").isEmpty() ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private List<String> lines(JsonNode result) {
    if (result.path("trees").isEmpty()) {
      String message = TextCells.of(result.path("notFound").path("message"));
      return List.of(
          "not found: " + (message.isEmpty() ? "no tree of tasks has this id" : message));
    }
    return drawn(result, colours);
  }

  /** The drawings of all trees of a lookup; empty when there are none. */
  static List<String> drawn(JsonNode result, Colours colours) {
    List<String> lines = new ArrayList<>();
    for (JsonNode tree : result.path("trees")) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(TreeDrawing.of(tree, colours));
    }
    if (result.path("moreTrees").asBoolean()) {
      lines.add("");
      lines.add("and older trees");
    }
    return lines;
  }
}
