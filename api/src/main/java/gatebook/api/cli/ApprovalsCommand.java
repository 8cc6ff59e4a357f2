package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook approvals}: lists the calls that wait for an approval. */
@Command(
    name = "approvals",
    description =
        "Shows the calls that wait for an approval, oldest first, or those already decided.",
    footer = {"", "Example: gatebook approvals --data ./gatebook-data"})
public final class ApprovalsCommand implements Callable<Integer> {

  private static final List<String> WAITING =
      List.of("callId", "tool", "principal", "workflow", "requestedAt", "deadline");
  private static final List<String> DECIDED =
      List.of("callId", "tool", "principal", "workflow", "outcome", "by", "decidedAt", "reason");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Option(
      names = "--decided",
      description = "Shows the calls that no longer wait, newest first, with their outcomes.")
  private boolean decided;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params();
    if (decided) {
      params.put("decided", true);
    }
    return new ServerQuery(spec, server, jsonOption)
        .call("approvals.list", params, _ -> true, this::lines);
  }

  private List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("approvals").isEmpty()) {
      lines.add(decided ? "no approvals were decided" : "no approvals are waiting");
    } else {
      lines.addAll(TextCells.table(decided ? DECIDED : WAITING, result.path("approvals")));
    }
    if (result.path("more").asBoolean()) {
      lines.add("and more");
    }
    return lines;
  }
}
