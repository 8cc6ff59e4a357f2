package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.TextCells;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code gatebook projections}: shows the state of each view. */
@Command(
    name = "projections",
    description = "Shows the position of each view, its parked events and its rebuild.",
    footer = {
      "",
      "Exit code: 0 every view works, 1 one does not or no answer, 2 usage.",
      "Example: gatebook projections --data ./gatebook-data"
    })
public final class ProjectionsCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of("name", "position", "lag", "state", "parked", "replay", "failure");
  private static final Set<String> BROKEN = Set.of("failing", "stopped");

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Override
  public Integer call() throws InterruptedException {
    return new ServerQuery(spec, server, jsonOption)
        .call("audit.projections", ServerQuery.params(), ProjectionsCommand::allWork, this::lines);
  }

  private static boolean allWork(JsonNode result) {
    return StreamSupport.stream(result.path("projections").spliterator(), false)
        .noneMatch(it -> BROKEN.contains(it.path("state").asText()));
  }

  private List<String> lines(JsonNode result) {
    ArrayNode projections = result.path("projections").deepCopy();
    projections.forEach(
        it -> ((ObjectNode) it).put("replay", ProgressBar.brief(it.path("replay"))));
    return TextCells.table(COLUMNS, projections, this::paint);
  }

  private String paint(String column, String text) {
    return switch (column) {
      case "state" -> colours.word(text);
      case "parked" -> text.matches("[1-9]\\d*") ? colours.bad(text) : text;
      default -> text;
    };
  }
}
