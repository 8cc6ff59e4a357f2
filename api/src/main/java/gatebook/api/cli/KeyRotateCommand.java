package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.methods.KeyMethods;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook keys rotate}: calls the server that owns the data directory, or works
 * directly when none does.
 */
@Command(
    name = "rotate",
    description = {
      "Replaces the key that wraps the content keys, and destroys the one of before.",
      "With a shared database the other nodes need a copy of keys/wrapping.key from then on.",
      "When no server runs, this opens the journal itself: --db names its database."
    },
    footer = {
      "",
      "Exit code: 0 done, 1 not done, 2 usage.",
      "Example: gatebook keys rotate wrapping --data ./gatebook-data"
    })
final class KeyRotateCommand implements Callable<Integer> {

  private final Map<String, String> environment = System.getenv();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(environment);
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(paramLabel = "KEY", description = "The key to replace: wrapping.")
  private String key = "";

  @Override
  public Integer call() throws InterruptedException {
    if (!key.equals(KeyMethods.WRAPPING)) {
      throw new ParameterException(spec.commandLine(), "the key to replace is: wrapping");
    }
    JournalPlace place = new JournalPlace(server.directory(), databaseOption.url());
    place
        .refusal()
        .ifPresent(sentence -> {
          throw new ParameterException(spec.commandLine(), sentence);
        });
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return switch (server.openDirectory()) {
      case ServerOptions.DirectoryAccess.Refused(var sentence) -> serverQuery.failed(sentence);
      case ServerOptions.DirectoryAccess.Held _ ->
          serverQuery.call(
              KeyMethods.ROTATE,
              ServerQuery.params().put("key", key),
              _ -> true,
              KeyRotateCommand::lines);
      case ServerOptions.DirectoryAccess.Opened(var directory) ->
          directly(directory, place, serverQuery);
    };
  }

  private int directly(DataDirectory owned, JournalPlace place, ServerQuery serverQuery) {
    try (DataDirectory _ = owned) {
      String operator = System.getProperty("user.name", "unknown");
      return switch (new WrappingKeyRotation(place, environment, operator).rotate()) {
        case WrappingKeyRotation.Outcome.NotDone(var sentence) -> serverQuery.failed(sentence);
        case WrappingKeyRotation.Outcome.Done(var rotation) -> {
          ObjectNode result =
              ServerQuery.params().put("before", rotation.before()).put("after", rotation.after());
          serverQuery.show(result, KeyRotateCommand::lines);
          yield ExitCode.OK;
        }
      };
    }
  }

  private static List<String> lines(JsonNode result) {
    return List.of(
        "the wrapping key %s was destroyed, and %s is in use"
            .formatted(TextCells.of(result.path("before")), TextCells.of(result.path("after"))));
  }
}
