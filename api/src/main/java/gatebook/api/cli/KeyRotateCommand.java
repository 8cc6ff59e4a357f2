package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.methods.KeyMethods;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook keys rotate}: calls the server that owns the data directory. The
 * wrapping key is also replaced directly, when there is no server.
 */
@Command(
    name = "rotate",
    description = {
      "Replaces a key of the node; what the old one signed or sealed stays readable.",
      "checkpoint: the key that signs checkpoints, of a running node.",
      "wrapping: the key that wraps the content keys; the one of before is destroyed. With a shared"
          + " database the other nodes need a copy of keys/wrapping.key from then on. When no"
          + " server runs, this opens the journal itself: --db names its database."
    },
    footer = {
      "",
      "Exit code: 0 done, 1 not done, 2 usage.",
      "Example: gatebook keys rotate checkpoint --data ./gatebook-data"
    })
final class KeyRotateCommand implements Callable<Integer> {

  /** A key that can be replaced, as the command and the method name it. */
  private enum Key {
    CHECKPOINT,
    WRAPPING;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<String, String> environment = System.getenv();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(environment);
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(paramLabel = "KEY", description = "The key to replace: ${COMPLETION-CANDIDATES}.")
  private Key key = Key.CHECKPOINT;

  @Override
  public Integer call() throws InterruptedException {
    JournalPlace place = databaseOption.place(spec, server.directory());
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return key == Key.CHECKPOINT
        ? atServer(serverQuery)
        : serverQuery.atServerOrDirectly(this::atServer, _ -> directly(place, serverQuery));
  }

  private int atServer(ServerQuery serverQuery) throws InterruptedException {
    return serverQuery.call(
        KeyMethods.ROTATE,
        ServerQuery.params().put("key", key.toString()),
        _ -> true,
        KeyRotateCommand::lines);
  }

  private int directly(JournalPlace place, ServerQuery serverQuery) {
    String operator = System.getProperty("user.name", "unknown");
    return switch (new WrappingKeyRotation(place, environment, operator).rotate()) {
      case WrappingKeyRotation.Outcome.NotDone(var sentence) -> serverQuery.failed(sentence);
      case WrappingKeyRotation.Outcome.Done(var rotation) -> {
        ObjectNode result =
            ServerQuery.params()
                .put("key", key.toString())
                .put("state", "rotated")
                .put("newKey", rotation.after())
                .put("oldKey", rotation.before());
        serverQuery.show(result, KeyRotateCommand::lines);
        yield ExitCode.OK;
      }
    };
  }

  private static List<String> lines(JsonNode result) {
    String newKey = TextCells.of(result.path("newKey"));
    String oldKey = TextCells.of(result.path("oldKey"));
    if (result.path("key").asText().equals(KeyMethods.WRAPPING)) {
      return List.of(
          "the wrapping key %s was destroyed, and %s is in use".formatted(oldKey, newKey));
    }
    return result.path("state").asText().equals("prepared")
        ? List.of(
            "the new key %s is in %s and does not sign yet"
                .formatted(newKey, TextCells.of(result.path("file"))),
            "copy that file beside the key file of each node that shares the journal, then run this"
                + " again")
        : List.of(
            "checkpoints are signed by %s from event %s on"
                .formatted(newKey, TextCells.of(result.path("position"))),
            "the old key was " + oldKey);
  }
}
