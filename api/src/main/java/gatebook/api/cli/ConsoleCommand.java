package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.log.Terminal;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.operator.client.OperatorClient.Answer;
import gatebook.api.operator.client.ServerClient;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook console}: opens a server's console in the browser, signed in. */
@Command(
    name = "console",
    description = {
      "Opens the console of a running server in the browser, signed in as the operator whose token"
          + " is used.",
      "The link works once, for a minute. Without a browser or a terminal it is printed."
    },
    footer = {"", "Example: gatebook console --data ./gatebook-data"})
public final class ConsoleCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here

  @Mixin private final ServerOptions server;

  @Option(names = "--print", description = "Prints the link instead of opening it.")
  private boolean isPrinted;

  private final Browser browser;
  private final BooleanSupplier isTerminal;

  public ConsoleCommand() {
    this(System.getenv(), Terminal.STDOUT::isTerminal);
  }

  ConsoleCommand(Map<String, String> environment, BooleanSupplier isTerminal) {
    this.server = new ServerOptions(environment);
    this.browser = new Browser(environment);
    this.isTerminal = isTerminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.ClientLookup.Unavailable(var sentence, _) -> failed(sentence);
      case ServerOptions.ClientLookup.Client(ServerClient client) ->
          open(client, client::consoleLink);
      case ServerOptions.ClientLookup.Client(var client) -> {
        Optional<String> url = server.consoleUrl();
        yield url.isPresent()
            ? open(client, code -> URI.create(url.get() + "/#code=" + code))
            : failed(
                "the process that uses %s serves no console: name a server with --url"
                    .formatted(server.directory()));
      }
    };
  }

  private int open(OperatorClient client, Function<String, URI> links) throws InterruptedException {
    return switch (client.call("operator.consoleLink", ServerQuery.params())) {
      case Answer.Failed(var sentence) -> failed(sentence);
      case Answer.Result(JsonNode result) -> {
        String link = links.apply(result.path("code").asText()).toString();
        boolean isOpened = !isPrinted && isTerminal.getAsBoolean() && browser.open(link);
        spec.commandLine()
            .getOut()
            .println(
                isOpened
                    ? "the console opens in the browser (--print prints its link instead)"
                    : link);
        yield ExitCode.OK;
      }
    };
  }

  private int failed(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }
}
