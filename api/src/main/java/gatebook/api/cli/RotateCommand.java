package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.methods.TokenMethods;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook token rotate}: calls the server that owns the data directory, or
 * works directly when none does.
 */
@Command(
    name = "rotate",
    description = {
      "Replaces the token of the node's own operator; the old one is refused from then on.",
      "The new token is not shown: the command prints the file that holds it.",
      "When no server runs, this opens the journal itself: --db names its database."
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
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Override
  public Integer call() throws InterruptedException {
    JournalPlace place = databaseOption.place(spec, server.directory());
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return serverQuery.atServerOrDirectly(
        query ->
            query.call(TokenMethods.ROTATE, ServerQuery.params(), _ -> true, RotateCommand::lines),
        directory -> directly(directory, place, serverQuery));
  }

  private int directly(DataDirectory directory, JournalPlace place, ServerQuery serverQuery) {
    String operator = System.getProperty("user.name", "unknown");
    return switch (new TokenRotation(place, environment, operator).rotate(directory)) {
      case TokenRotation.Outcome.NotDone(var sentence) -> serverQuery.failed(sentence);
      case TokenRotation.Outcome.Done(var file) -> {
        ObjectNode result = ServerQuery.params().put("file", file.toString());
        serverQuery.show(result, RotateCommand::lines);
        yield ExitCode.OK;
      }
    };
  }

  private static List<String> lines(JsonNode result) {
    return List.of("the new token is in " + TextCells.of(result.path("file")));
  }
}
