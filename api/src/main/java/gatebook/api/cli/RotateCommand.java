package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.TokenMethods;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gatebook token rotate}: by the server that has the data, or directly when none does. */
@Command(
    name = "rotate",
    description = {
      "Makes another token for the node's own operator; the present one is worth nothing any more.",
      "The token is not shown: it is in the file that is named."
    },
    footer = {
      "",
      "Exit code: 0 done, 1 not done, 2 usage.",
      "Example: gatebook token rotate --data ./gatebook-data"
    })
final class RotateCommand implements Callable<Integer> {

  private final Map<String, String> environment = System.getenv();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(environment);

  @Option(
      names = "--db",
      paramLabel = "JDBC-URL",
      description = "The database of the journal, when no server runs (else one in the data).")
  private @Nullable String databaseUrl;

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    JournalPlace place = new JournalPlace(server.directory(), Optional.ofNullable(databaseUrl));
    place
        .refusal()
        .ifPresent(sentence -> {
          throw new ParameterException(spec.commandLine(), sentence);
        });
    ServerQuery serverQuery = new ServerQuery(spec, server, json);
    return switch (server.holder()) {
      case ServerOptions.Holder.None(var sentence) -> serverQuery.failed(sentence);
      case ServerOptions.Holder.Server _ ->
          serverQuery.ask(
              TokenMethods.ROTATE, ServerQuery.params(), _ -> true, RotateCommand::lines);
      case ServerOptions.Holder.Own(var directory) -> directly(directory, place, serverQuery);
    };
  }

  private int directly(DataDirectory owned, JournalPlace place, ServerQuery serverQuery) {
    try (DataDirectory directory = owned) {
      String operator = System.getProperty("user.name", "unknown");
      return switch (new TokenRotation(place, environment, operator).of(directory)) {
        case TokenRotation.Outcome.NotDone(var sentence) -> serverQuery.failed(sentence);
        case TokenRotation.Outcome.Done(var file) -> {
          ObjectNode result = ServerQuery.params().put("file", file.toString());
          serverQuery.show(result, RotateCommand::lines);
          yield ExitCode.OK;
        }
      };
    }
  }

  private static List<String> lines(JsonNode result) {
    return List.of("the new token is in " + TextCells.of(result.path("file")));
  }
}
