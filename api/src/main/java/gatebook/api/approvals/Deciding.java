package gatebook.api.approvals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.ask.Asking;
import gatebook.api.ask.ServerOptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A person's answer about one call. */
abstract class Deciding implements Callable<Integer> {

  static final String EXIT_CODES = "Exit code: 0 the decision counts, 1 it does not, 2 usage.";

  private final String method;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());

  @Parameters(paramLabel = "ID", description = "The call, as gatebook approvals shows it.")
  private String callId = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept with the decision.")
  private @Nullable String reason;

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  Deciding(String method) {
    this.method = method;
  }

  @Override
  public final Integer call() throws InterruptedException {
    ObjectNode params = Asking.params().put("callId", callId);
    if (reason != null) {
      params.put("reason", reason);
    }
    return new Asking(spec, server, json)
        .ask(method, params, Decided::counts, result -> List.of(Decided.line(result)));
  }
}
