package gatebook.api.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.ask.Asking;
import gatebook.api.ask.Cells;
import gatebook.api.ask.ServerOptions;
import gatebook.api.data.DataDirectory;
import gatebook.api.operator.TokenMethods;
import gatebook.api.settings.JournalPlace;
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
    Asking asking = new Asking(spec, server, json);
    return switch (server.holder()) {
      case ServerOptions.Holder.None(var sentence) -> asking.failed(sentence);
      case ServerOptions.Holder.Server _ ->
          asking.ask(TokenMethods.ROTATE, Asking.params(), _ -> true, RotateCommand::lines);
      case ServerOptions.Holder.Own(var directory) -> directly(directory, place, asking);
    };
  }

  private int directly(DataDirectory owned, JournalPlace place, Asking asking) {
    try (DataDirectory directory = owned) {
      String operator = System.getProperty("user.name", "unknown");
      return switch (new Rotation(place, environment, operator).of(directory)) {
        case Rotation.Outcome.NotDone(var sentence) -> asking.failed(sentence);
        case Rotation.Outcome.Done(var file) -> {
          ObjectNode result = Asking.params().put("file", file.toString());
          asking.show(result, RotateCommand::lines);
          yield ExitCode.OK;
        }
      };
    }
  }

  private static List<String> lines(JsonNode result) {
    return List.of("the new token is in " + Cells.of(result.path("file")));
  }
}
