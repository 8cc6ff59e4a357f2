package gatebook.api.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.OperatorClient.Answer;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** One question to a server, and its answer on the terminal or as JSON. */
public final class Asking {

  private static final JsonMapper JSON = new JsonMapper();

  private final CommandSpec spec;
  private final ServerOptions server;
  private final boolean json;

  public Asking(CommandSpec spec, ServerOptions server, boolean json) {
    this.spec = spec;
    this.server = server;
    this.json = json;
  }

  public static ObjectNode params() {
    return JSON.createObjectNode();
  }

  /**
   * The exit code.
   *
   * @param good whether a result is what was asked for
   * @param lines a result for people
   */
  public int ask(
      String method,
      ObjectNode params,
      Predicate<JsonNode> good,
      Function<JsonNode, List<String>> lines)
      throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.Found.Nobody(var sentence) -> failed(sentence);
      case ServerOptions.Found.Client(var client) ->
          switch (client.ask(method, params)) {
            case Answer.Failed(var sentence) -> failed(sentence);
            case Answer.Result(var result) -> {
              show(json ? List.of(result.toPrettyString()) : lines.apply(result));
              yield good.test(result) ? ExitCode.OK : ExitCode.SOFTWARE;
            }
          };
    };
  }

  private void show(List<String> lines) {
    lines.forEach(spec.commandLine().getOut()::println);
  }

  private int failed(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }
}
