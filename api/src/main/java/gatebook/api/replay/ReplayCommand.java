package gatebook.api.replay;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.ask.Asking;
import gatebook.api.ask.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gatebook replay}: one call step by step, and decided again. */
@Command(
    name = "replay",
    description = {
      "Shows one call step by step, and decides it again:",
      "by the rules of then, which must agree with the record, and by those in force."
    },
    footer = {
      "",
      "Exit code: 0 it agrees, or there is nothing to decide; 1 it does not, or cannot be decided"
          + " again, or is not found; 2 usage.",
      "Example: gatebook replay 0199c0de-0000-7000-8000-000000000000"
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final String NOTHING_DECIDED = "nothing-decided";

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());

  @Parameters(
      paramLabel = "ID",
      description =
          "Any id that stands for one call: its own, or its correlation, trace, task, approval.")
  private String id = "";

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    return new Asking(spec, server, json)
        .ask(
            "audit.replayCall",
            Asking.params().put("id", id.strip()),
            ReplayCommand::isGood,
            CallLines::of);
  }

  private static boolean isGood(JsonNode result) {
    return result.path("then").path("agrees").asBoolean()
        || result.path("notReplayable").path("reason").asText().equals(NOTHING_DECIDED);
  }
}
