package gatebook.api.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.OperatorClient.Answer;
import java.util.function.ToIntFunction;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** One question to a server, and its answer on the terminal or as JSON. */
final class Asking {

  private static final JsonMapper JSON = new JsonMapper();

  private final CommandSpec spec;
  private final ServerOptions server;
  private final boolean json;

  Asking(CommandSpec spec, ServerOptions server, boolean json) {
    this.spec = spec;
    this.server = server;
    this.json = json;
  }

  static ObjectNode params() {
    return JSON.createObjectNode();
  }

  /** The exit code; {@code show} prints a result for people and says what it is worth. */
  int ask(String method, ObjectNode params, ToIntFunction<JsonNode> show)
      throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.Found.Nobody(var sentence) -> failed(sentence);
      case ServerOptions.Found.Client(var client) ->
          switch (client.ask(method, params)) {
            case Answer.Failed(var sentence) -> failed(sentence);
            case Answer.Result(var result) -> shown(result, show);
          };
    };
  }

  private int shown(JsonNode result, ToIntFunction<JsonNode> show) {
    if (json) {
      spec.commandLine().getOut().println(result.toPrettyString());
      return Decided.worth(result);
    }
    return show.applyAsInt(result);
  }

  private int failed(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }
}
