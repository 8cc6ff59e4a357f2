package gatebook.api.cli.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.Colours;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.TextCells;
import gatebook.api.cli.TimeArgument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook lookup}: shows what happened to a call. */
@Command(
    name = "lookup",
    description = "Shows what happened to the calls that have an id, step by step.",
    footer = {
      "",
      "Exit code: 0 found, 1 not found, 2 usage.",
      "Example: gatebook lookup 0199c0de-0000-7000-8000-000000000000"
    })
public final class LookupCommand implements Callable<Integer> {

  private final Colours colours = Colours.forStdout();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());

  @Parameters(
      paramLabel = "ID",
      description =
          "Any id of the call: its own, or that of its correlation, trace, task, approval.")
  private String id = "";

  @Option(
      names = "--as-of",
      paramLabel = "T",
      converter = TimeArgument.class,
      description = "Shows what was recorded up to this time: RFC 3339, or how long ago, as in 2h.")
  private @Nullable Instant asOf;

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params().put("id", id.strip());
    if (asOf != null) {
      params.put("asOf", asOf.toString());
    }
    return new ServerQuery(spec, server, json)
        .call("audit.lookup", params, result -> !result.path("calls").isEmpty(), this::lines);
  }

  private List<String> lines(JsonNode result) {
    if (result.path("calls").isEmpty()) {
      return List.of("not found: " + TextCells.of(result.path("notFound").path("message")));
    }
    List<String> lines = new ArrayList<>();
    for (JsonNode call : result.path("calls")) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(Timeline.of(call, colours));
    }
    if (result.path("more").asBoolean()) {
      lines.add("");
      lines.add("and older calls");
    }
    return lines;
  }
}
