package gatebook.api.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PastedId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Base of the commands that decide an approval. */
abstract class DecideCommand implements Callable<Integer> {

  static final String EXIT_CODES = "Exit code: 0 the decision took effect, 1 it did not, 2 usage.";

  private final String method;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description = "The call, as gatebook approvals shows it.")
  private List<String> pasted = List.of();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "The reason, recorded with the decision.")
  private @Nullable String reason;

  DecideCommand(String method) {
    this.method = method;
  }

  @Override
  public final Integer call() throws InterruptedException {
    ObjectNode params = ServerQuery.params().put("callId", PastedId.in(pasted, spec));
    if (reason != null) {
      params.put("reason", reason);
    }
    return new ServerQuery(spec, server, jsonOption)
        .call(
            method, params, DecisionResult::counts, result -> List.of(DecisionResult.line(result)));
  }
}
