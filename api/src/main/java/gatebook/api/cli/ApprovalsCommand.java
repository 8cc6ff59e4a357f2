package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gatebook approvals}: the calls that wait for a person. */
@Command(
    name = "approvals",
    description = "Shows the calls that wait for a person, oldest first, or what was decided.",
    footer = {"", "Example: gatebook approvals --data ./gatebook-data"})
public final class ApprovalsCommand implements Callable<Integer> {

  private static final List<String> WAITING =
      List.of("callId", "tool", "principal", "workflow", "requestedAt", "deadline");
  private static final List<String> DECIDED =
      List.of("callId", "tool", "principal", "workflow", "outcome", "by", "decidedAt", "reason");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());

  @Option(
      names = "--decided",
      description = "Shows those that wait no longer, newest first, and what came of them.")
  private boolean decided;

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params();
    if (decided) {
      params.put("decided", true);
    }
    return new ServerQuery(spec, server, json)
        .ask("approvals.list", params, _ -> true, this::lines);
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("approvals").isEmpty()) {
      lines.add(decided ? "nothing was decided" : "nothing waits");
    } else {
      lines.addAll(TextCells.table(decided ? DECIDED : WAITING, result.path("approvals")));
    }
    if (result.path("more").asBoolean()) {
      lines.add("and more");
    }
    return lines;
  }
}
